import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4TextPart,
} from '@ai-sdk/provider'
import type {NewEvent} from '../conversation/event.js'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import {type AnswerCollector, addUsage} from './answer-collector.js'
import {callOptions} from './call-options.js'
import type {JsonSchema} from './json-schema.js'
import {runModelCycle} from './model-cycle.js'
import type {RoundDeps, ToolRound} from './tool-round.js'
import type {TurnControl} from './turn-control.js'
import {type TurnEnd, toTurnEnded, toTurnError} from './turn-end.js'
import type {DeniedCall, TokenUsage, TurnEvent, TurnStarted, TurnSubscriber} from './turn-event.js'
import {createTurnJournal} from './turn-journal.js'
import type {TurnConversation} from './turn-log.js'
import {wellFormed} from './well-formed.js'

/** What a turn stands on. Nothing of it knows who watches. */
export type TurnDeps = {
  readonly clock: Clock
  /** Locked by the caller, who also releases it. */
  readonly conversation: TurnConversation
  readonly model: LanguageModelV4
  readonly tools: ToolRound
  readonly control: TurnControl
  /** Receive every event, in this order. */
  readonly subscribers: readonly TurnSubscriber[]
}

/** What is asked of a turn. */
export type TurnRequest = {
  /** The first event: who and where. */
  readonly started: Omit<TurnStarted, 'type'>
  /** What there is to say before anything is sent. */
  readonly warnings?: readonly string[]
  /** The words of the user; undefined sends again what is stored and has no answer. */
  readonly content: string | undefined
  readonly author?: string | undefined
  /** A new title for a conversation that exists; a new one was created with its title. */
  readonly title?: string | undefined
  /** A JSON schema: the answer is data of this shape. */
  readonly schema?: JsonSchema | undefined
  /** What differs from the conversation's stored configuration, recorded before the request. */
  readonly configDelta?: object | undefined
  readonly system?: string | undefined
  readonly attachments?: readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[]
  readonly toolChoice?: LanguageModelV4CallOptions['toolChoice']
}

/**
 * Runs one turn in one checkout (W23, W35). It does not reject once it has begun: whatever happens, the last event is
 * `turn_ended`, and what was received before is stored. The user's request is stored, and the root recorded (S20), before
 * the model is asked.
 * @throws JpError what reading the conversation throws.
 */
export const runTurn = async (deps: TurnDeps, request: TurnRequest): Promise<TurnEnd> => {
  const turn = createTurn(deps, request)
  let error: JpError | undefined
  try {
    await turn.begin()
    while (await turn.cycle()) {
      // One answer of the model, and the results of the tools that it called, at a time.
    }
    turn.check()
  } catch (cause) {
    error = toTurnError(cause)
  }
  const end = turn.end(error)
  await turn.say(toTurnEnded(end))
  return end
}

const createTurn = (deps: TurnDeps, request: TurnRequest) => {
  const {control} = deps
  const journal = createTurnJournal(deps, request)
  const denied: DeniedCall[] = []
  let usage: TokenUsage = {}
  let last: AnswerCollector | undefined
  let hasCalled = false

  const say = async (event: TurnEvent): Promise<void> => {
    for (const subscriber of deps.subscribers) await subscriber(event)
  }
  const store = async (events: readonly NewEvent[]): Promise<void> => {
    for (const event of journal.persist(events)) await say(event)
  }
  const count = async (used: TokenUsage): Promise<void> => {
    usage = addUsage(usage, used)
    if (Object.keys(used).length > 0) await say({type: 'usage', usage: used})
  }
  const deliver: RoundDeps['deliver'] = async ({denied: refusal, ...result}) => {
    const {id, outcome} = result
    const content = wellFormed(result.content)
    if (refusal !== undefined) denied.push(refusal)
    await store([{type: 'tool_call_response', id, content, is_error: outcome !== 'success'}])
    await say({type: 'tool_call_ended', ...result, content})
  }

  const round = {history: () => journal.events, definitions: deps.tools.definitions}

  return {
    say,
    async begin(): Promise<void> {
      const said = journal.persist(firstEvents(request))
      await say({type: 'turn_started', ...request.started})
      for (const message of request.warnings ?? []) await say({type: 'warning', message})
      for (const event of said) await say(event)
    },
    /** One answer with its tool calls; true when the model is to be asked again. */
    async cycle(): Promise<boolean> {
      const options = callOptions(request, {events: journal.events, tools: deps.tools.definitions, hasCalled})
      const cycle = {model: deps.model, say, store, keepsPartial: () => !control.drops}
      const end = await runModelCycle(cycle, options, control.workSignal())
      const {calls, usage: used, finishReason} = end.collector
      last = end.collector
      hasCalled ||= calls.length > 0
      await count(used)
      if (end.state === 'failed') throw end.error
      const warning = finishWarning(finishReason)
      if (warning !== undefined) await say({type: 'warning', message: warning})
      if (calls.length > 0) await deps.tools.run(calls, {...round, control, say, deliver, store, count})
      if (control.stopped !== undefined) return false
      const reply = control.takeReply()
      // The words with which the user interrupted become the next request of the same turn.
      if (reply !== undefined) await store([chatRequest(reply, request)])
      return reply !== undefined || calls.length > 0
    },
    /** @throws JpError `provider_misbehaved` when a schema was asked for and no data came. */
    check(): void {
      if (request.schema !== undefined && control.stopped === undefined && journal.data === undefined) throw notData()
    },
    end(error: JpError | undefined): TurnEnd {
      return {
        outcome: error !== undefined ? 'failed' : control.stopped !== undefined ? 'stopped' : 'completed',
        ...(last?.finishReason === undefined ? {} : {finish_reason: last.finishReason}),
        answer: last?.text ?? '',
        ...(journal.data === undefined ? {} : {data: journal.data.value}),
        usage,
        denied,
        ...(error === undefined ? {} : {error}),
      }
    },
  }
}

/** What is stored before the model is asked. */
const firstEvents = (request: TurnRequest): readonly NewEvent[] => [
  ...(request.configDelta === undefined ? [] : [{type: 'config_delta' as const, delta: request.configDelta}]),
  ...(request.content === undefined ? [] : [{type: 'turn_start' as const}, chatRequest(request.content, request)]),
]

const chatRequest = (content: string, {author, schema}: TurnRequest): NewEvent => ({
  type: 'chat_request',
  content: wellFormed(content),
  ...(schema === undefined ? {} : {schema}),
  ...(author === undefined ? {} : {author}),
})

const finishWarning = (reason: string | undefined): string | undefined => {
  if (reason === 'length') return 'The answer ends here because max_tokens was reached.'
  return reason === 'content-filter' ? "The provider's content filter ended the answer." : undefined
}

const notData = (): JpError =>
  new JpError('provider_misbehaved', 'The answer is not the JSON that the schema asks for.', {
    hint: 'What came is stored: jp conversation print. Ask again, or use a model that supports structured output.',
  })
