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
import type {JsonSchema} from './json-schema.js'
import {runModelCycle} from './model-cycle.js'
import type {ToolRound} from './tool-round.js'
import {projectTranscript} from './transcript.js'
import type {TurnControl} from './turn-control.js'
import {type TurnEnd, toTurnEnded, toTurnError} from './turn-end.js'
import type {DeniedCall, TokenUsage, TurnEvent, TurnStarted, TurnSubscriber} from './turn-event.js'
import {createTurnLog, type TurnConversation} from './turn-log.js'
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
 * Runs one turn in one checkout (W23, W35). It never rejects: whatever happens, the last event is `turn_ended`, and what
 * was received before is stored. The user's request is stored, and the root recorded (S20), before the model is asked.
 */
export const runTurn = async (deps: TurnDeps, request: TurnRequest): Promise<TurnEnd> => {
  const turn = createTurn(deps, request)
  let error: JpError | undefined
  try {
    await turn.begin()
    await turn.loop()
  } catch (cause) {
    error = toTurnError(cause)
  }
  const end = turn.end(error)
  await turn.say(toTurnEnded(end))
  return end
}

const createTurn = (deps: TurnDeps, request: TurnRequest) => {
  const {control, conversation} = deps
  const log = createTurnLog(conversation, deps.clock)
  const denied: DeniedCall[] = []
  let usage: TokenUsage = {}
  let last: AnswerCollector | undefined
  let data: unknown
  let hasPersisted = false

  const say = async (event: TurnEvent): Promise<void> => {
    for (const subscriber of deps.subscribers) await subscriber(event)
  }

  const persist = (events: readonly NewEvent[]): readonly TurnEvent[] => {
    if (events.length === 0) return []
    const entries = log.add(events)
    if (!hasPersisted) recordTurn()
    hasPersisted = true
    return entries.map((event) => ({type: 'event', event}))
  }

  /** What goes with the first persist: where the turn runs (S20), that the conversation was used, its new title. */
  const recordTurn = (): void => {
    const {started, title} = request
    conversation.recordRoot(started.root)
    if (started.is_new) return
    conversation.changeMetadata({
      lastActivatedAtMs: deps.clock.nowMs(),
      ...(title === undefined ? {} : {title}),
    })
  }

  const store = async (events: readonly NewEvent[]): Promise<void> => {
    for (const event of persist(events.map(structured))) await say(event)
  }

  /** Under a schema, what the model writes is data as soon as it reads as JSON. */
  const structured = (event: NewEvent): NewEvent => {
    if (request.schema === undefined || event.type !== 'chat_response' || !('message' in event)) return event
    const {message, ...rest} = event
    const parsed = parseJson(message)
    if (parsed === undefined) return event
    data = parsed.value
    return {...rest, data}
  }

  const cycle = async (first: boolean): Promise<'go on' | 'done'> => {
    const signal = control.workSignal()
    const end = await runModelCycle({model: deps.model, say, store}, callOptions(first), signal)
    last = end.collector
    usage = addUsage(usage, last.usage)
    if (Object.keys(last.usage).length > 0) await say({type: 'usage', usage: last.usage})
    if (end.state === 'failed') throw end.error
    await warnOfFinish(last.finishReason)
    await runTools(end.collector)
    return (await takeReply()) || (last.calls.length > 0 && control.stopped === undefined) ? 'go on' : 'done'
  }

  const callOptions = (first: boolean): LanguageModelV4CallOptions => {
    const {system, attachments, schema} = request
    const tools = deps.tools.definitions
    const prompt = projectTranscript(log.events, {
      ...(system === undefined ? {} : {system}),
      ...(attachments === undefined ? {} : {attachments}),
    })
    return {
      prompt,
      ...(tools.length === 0 ? {} : {tools: [...tools], toolChoice: (first && request.toolChoice) || {type: 'auto'}}),
      ...(schema === undefined ? {} : {responseFormat: {type: 'json', schema}}),
    }
  }

  const runTools = async (collector: AnswerCollector): Promise<void> => {
    if (collector.calls.length === 0) return
    await deps.tools.run(collector.calls, {
      control,
      say,
      deliver: async ({id, content, isError, denied: refusal}) => {
        if (refusal !== undefined) denied.push(refusal)
        await store([{type: 'tool_call_response', id, content: wellFormed(content), is_error: isError}])
      },
    })
  }

  /** The words with which the user interrupted become the next request of the same turn. */
  const takeReply = async (): Promise<boolean> => {
    const reply = control.takeReply()
    if (reply === undefined || control.stopped !== undefined) return false
    await store([chatRequest(reply, request)])
    return true
  }

  const warnOfFinish = async (reason: string | undefined): Promise<void> => {
    if (reason === 'length')
      await say({type: 'warning', message: 'The answer ends here because max_tokens was reached.'})
    if (reason === 'content-filter') {
      await say({type: 'warning', message: "The provider's content filter ended the answer."})
    }
  }

  return {
    say,
    async begin(): Promise<void> {
      const delta: NewEvent[] =
        request.configDelta === undefined ? [] : [{type: 'config_delta', delta: request.configDelta}]
      const asked: NewEvent[] =
        request.content === undefined ? [] : [{type: 'turn_start'}, chatRequest(request.content, request)]
      const said = persist([...delta, ...asked])
      await say({type: 'turn_started', ...request.started})
      for (const message of request.warnings ?? []) await say({type: 'warning', message})
      for (const event of said) await say(event)
    },
    async loop(): Promise<void> {
      for (let first = true; (await cycle(first)) === 'go on'; ) first = first && last?.calls.length === 0
      if (request.schema !== undefined && control.stopped === undefined && data === undefined) throw notData()
    },
    end(error: JpError | undefined): TurnEnd {
      const finishReason = last?.finishReason
      return {
        outcome: error !== undefined ? 'failed' : control.stopped !== undefined ? 'stopped' : 'completed',
        ...(finishReason === undefined ? {} : {finish_reason: finishReason}),
        answer: last?.text ?? '',
        ...(data === undefined ? {} : {data}),
        usage,
        denied,
        ...(error === undefined ? {} : {error}),
      }
    },
  }
}

const chatRequest = (content: string, {author, schema}: TurnRequest): NewEvent => ({
  type: 'chat_request',
  content: wellFormed(content),
  ...(schema === undefined ? {} : {schema}),
  ...(author === undefined ? {} : {author}),
})

const parseJson = (text: string): {value: unknown} | undefined => {
  try {
    return {value: JSON.parse(text)}
  } catch {
    return undefined
  }
}

const notData = (): JpError =>
  new JpError('provider_misbehaved', 'The answer is not the JSON that the schema asks for.', {
    hint: 'What came is stored: jp conversation print. Ask again, or use a model that supports structured output.',
  })
