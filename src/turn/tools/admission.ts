import {hasCode, type JpError} from '../../errors/jp-error.js'
import type {WrittenCall} from '../answer-collector.js'
import {checkArguments} from './arguments.js'
import type {BeltDeps, BeltTool} from './belt-deps.js'
import type {PermissionAnswer} from './permission.js'
import {isCovered, type RuleSubject, subjectOf} from './permission-rules.js'
import {decideRun} from './tool-policy.js'

/** Whether a call runs, with the arguments that it runs with. `denied` carries the reason, `unfit` what is wrong. */
export type Admission =
  | {readonly kind: 'run'; readonly arguments: Readonly<Record<string, unknown>>}
  | {readonly kind: 'denied'; readonly reason: string}
  | {readonly kind: 'unfit'; readonly message: string}
  | {readonly kind: 'cancelled'}

/** Told of the question while it is open. */
export type AdmissionWitness = {
  asked(shown: string): Promise<void>
  answered(decision: 'allowed' | 'denied'): Promise<void>
}

/**
 * Decides about one call: its arguments are checked, then its policy, then the user (W26). Without a person nothing
 * becomes a yes.
 */
export const admitCall = async (
  call: WrittenCall,
  {tool, deps, signal}: {readonly tool: BeltTool; readonly deps: BeltDeps; readonly signal: AbortSignal},
  witness: AdmissionWitness,
): Promise<Admission> => {
  if (call.invalid !== undefined) return {kind: 'unfit', message: call.invalid}
  const checked = checkArguments(tool.tool.inputSchema, call.arguments)
  if (!checked.ok) return {kind: 'unfit', message: checked.problems.join('\n')}
  const args = checked.arguments
  const subject = subjectOf(call.name, tool.definition, tool.commandOf?.(args))
  const {asker, rules} = deps
  const refused = asker?.refuses?.(call.name)
  if (refused !== undefined) return {kind: 'denied', reason: refused}
  const decision = decideRun(tool.settings, {
    isCovered: isCovered(subject, rules?.list() ?? []),
    canAsk: asker !== undefined,
  })
  if (decision.kind === 'deny') return {kind: 'denied', reason: decision.reason}
  if (decision.kind === 'run' || asker === undefined) return {kind: 'run', arguments: args}
  const shown = tool.tool.shown?.(args) ?? JSON.stringify(args, undefined, 2)
  await witness.asked(shown)
  try {
    const question = {
      call: {id: call.id, name: call.name, arguments: args},
      about: 'run' as const,
      shown,
      always: rules === undefined || decision.edits ? undefined : alwaysText(subject),
    }
    const answer = decision.edits ? await editFirst(asker.edit, args, signal) : await asker.ask(question, signal)
    if (answer.decision === 'allow' && answer.always) await rules?.add(subject)
    await witness.answered(answer.decision === 'deny' ? 'denied' : 'allowed')
    return settle(answer, tool, args)
  } catch (error) {
    if (hasCode(error, 'interrupted')) return {kind: 'cancelled'}
    if (!isEditorFailure(error)) throw error
    await witness.answered('denied')
    return {kind: 'denied', reason: error.message}
  }
}

/** There is no editor, or it failed: then nothing was said, and nothing becomes a yes. */
export const isEditorFailure = (error: unknown): error is JpError => hasCode(error, 'child_failed', 'usage')

/** The policy `edit`: the person edits the arguments before the call runs. */
const editFirst = async (
  edit: ((text: string, signal: AbortSignal) => Promise<string>) | undefined,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<PermissionAnswer> =>
  edit === undefined
    ? {decision: 'deny', reason: 'its arguments could not be edited here'}
    : {decision: 'edit', text: await edit(JSON.stringify(args, undefined, 2), signal)}

const settle = (answer: PermissionAnswer, tool: BeltTool, args: Readonly<Record<string, unknown>>): Admission => {
  if (answer.decision === 'allow') return {kind: 'run', arguments: args}
  if (answer.decision === 'deny') {
    return {
      kind: 'denied',
      reason: answer.reason === undefined ? 'the user said no' : `the user said: ${answer.reason}`,
    }
  }
  const edited = parseObject(answer.text)
  if (edited === undefined) return {kind: 'denied', reason: 'the edited arguments were no JSON object'}
  const checked = checkArguments(tool.tool.inputSchema, edited)
  return checked.ok
    ? {kind: 'run', arguments: checked.arguments}
    : {kind: 'denied', reason: `the edited arguments do not fit: ${checked.problems.join(' ')}`}
}

const alwaysText = ({tool, words, line}: RuleSubject): string =>
  words === undefined && line === undefined
    ? `every call of ${tool} in this workspace`
    : 'exactly this command in this workspace'

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? {...value} : undefined
  } catch {
    return undefined
  }
}
