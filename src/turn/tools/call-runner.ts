import {hasCode} from '../../errors/jp-error.js'
import type {WrittenCall} from '../answer-collector.js'
import type {ToolOutcome, ToolResult} from '../tool.js'
import type {RoundDeps} from '../tool-round.js'
import {interruptedResult} from '../transcript.js'
import type {ToolCallEnded} from '../turn-event.js'
import {type Admission, admitCall, isEditorFailure} from './admission.js'
import {answerQuestion, type RememberedAnswers} from './answer-question.js'
import type {BeltDeps, BeltTool} from './belt-deps.js'
import type {PermissionAnswer, PermissionAsker} from './permission.js'
import {decideResult, denialFor} from './tool-policy.js'

/** One call on its way: admitted in turn, then run beside others. */
export interface CallRunner {
  admit(): Promise<Admission>
  run(admission: Admission): Promise<ToolResult>
}

/** What a call is run with. */
export type RunnerScene = {
  readonly deps: BeltDeps
  readonly round: RoundDeps
  readonly remembered: RememberedAnswers
  /** Aborted when the running calls must end. */
  readonly signal: AbortSignal
  /** What calls that are cancelled are answered with by the user; asked once they are. */
  readonly response: () => string | undefined
}

/** How often a tool may ask the same when no person answers. */
const maxSameQuestions = 3

/** Creates the runner of one call. `tool` is undefined for a name that the model made up. */
export const createCallRunner = (
  call: WrittenCall,
  tool: BeltTool | undefined,
  {deps, round, remembered, signal, response}: RunnerScene,
): CallRunner => {
  const {id, name} = call

  const end = (outcome: ToolCallEnded['outcome'], content: string): ToolResult => ({id, name, outcome, content})
  const deny = (reason: string): ToolResult => {
    const denied = {id, name, reason}
    return {...end('denied', denialFor(denied)), denied}
  }
  const cancel = (): ToolResult =>
    end('cancelled', response() ?? tool?.settings.cancellation_response ?? interruptedResult)

  const runTool = async (entry: BeltTool, args: Readonly<Record<string, unknown>>): Promise<ToolResult> => {
    await round.say({type: 'tool_call_started', id, name})
    const answers: Record<string, unknown> = {}
    const asked = new Map<string, number>()
    let outcome: ToolOutcome
    for (;;) {
      const attempt = round.control.attemptSignal(signal)
      outcome = await entry.tool.run({id, arguments: args, answers}, attempt)
      if (signal.aborted) break
      if (attempt.aborted) {
        await round.say({type: 'tool_call_started', id, name})
        continue
      }
      if (outcome.type !== 'needs_input') break
      const {question} = outcome
      const answer = await answerQuestion(question, {call: {id, name}, tool: entry, deps, round, remembered, signal})
      if (signal.aborted) return cancel()
      if ('problem' in answer) return end('error', answer.problem)
      const times = (asked.get(question.id) ?? 0) + 1
      // A person may be asked until the tool is content; anything else would go round for ever.
      if (answer.by !== 'person' && times > maxSameQuestions) {
        return end('error', `The tool asked "${question.text}" again and again, whatever it was answered.`)
      }
      asked.set(question.id, times)
      answers[question.id] = answer.value
    }
    if (signal.aborted || outcome.type === 'needs_input') return cancel()
    return deliver(entry, outcome)
  }

  /** What the model gets of a result, by the policy for results. */
  const deliver = async (
    entry: BeltTool,
    {type, content}: Extract<ToolOutcome, {content: string}>,
  ): Promise<ToolResult> => {
    const decision = decideResult(entry.settings, deps.asker !== undefined)
    if (decision.kind === 'deny') return deny(decision.reason)
    if (decision.kind === 'run' || deps.asker === undefined) return end(type, content)
    try {
      const answer = await askAboutResult(deps.asker, content, decision.edits)
      if (answer.decision === 'allow') return end(type, content)
      return answer.decision === 'edit' ? end(type, answer.text) : deny(answer.reason ?? 'the user kept its result')
    } catch (error) {
      if (!isEditorFailure(error)) throw error
      return deny(error.message)
    }
  }

  const askAboutResult = async (asker: PermissionAsker, content: string, edits: boolean): Promise<PermissionAnswer> => {
    if (edits && asker.edit !== undefined) return {decision: 'edit', text: await asker.edit(content, signal)}
    return asker.ask(
      {call: {id, name, arguments: call.arguments}, about: 'result', shown: content, always: undefined},
      signal,
    )
  }

  return {
    async admit() {
      if (signal.aborted) return {kind: 'cancelled'}
      if (tool === undefined) return {kind: 'unfit', message: `There is no tool "${name}".`}
      const admission = await admitCall(
        call,
        {tool, deps, signal},
        {
          asked: (shown) => round.say({type: 'permission_requested', id, name, shown}),
          answered: (decision) => round.say({type: 'permission_resolved', id, decision}),
        },
      )
      // Ctrl-C at the question itself ends the turn; a question that was taken back is part of an end that has begun.
      if (admission.kind === 'cancelled' && !signal.aborted) round.control.stop('user')
      return admission
    },
    async run(admission) {
      if (admission.kind === 'unfit') return end('error', admission.message)
      if (admission.kind === 'denied') return deny(admission.reason)
      if (admission.kind === 'cancelled' || tool === undefined || signal.aborted) return cancel()
      try {
        return await runTool(tool, admission.arguments)
      } catch (error) {
        if (!hasCode(error, 'interrupted')) throw error
        if (!signal.aborted) round.control.stop('user')
        return cancel()
      }
    },
  }
}
