import type {Configuration} from '../config/schema.js'
import type {Prompter} from '../platform/prompter.js'
import {commandLineOf} from './tools/local-tool.js'
import {runCommand} from './tools/run-command.js'

/** What labels are put on: a new conversation, or a fork. */
export type Labelled = 'new' | 'fork'

type Rules = Configuration['conversation']['labels']
type Rule = Rules[string]

/** Labels by key. */
export type Labels = Readonly<Record<string, string>>

/** The labels that `conversation.labels` puts on, as far as they are plain values. Pure. */
export const plainLabels = (rules: Rules, labelled: Labelled): Labels =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([key, rule]) =>
      appliesTo(rule, labelled) && (rule.value === undefined || typeof rule.value === 'string')
        ? [[key, rule.value ?? '']]
        : [],
    ),
  )

/** Without a word a rule is for new conversations, and not for forks. */
const appliesTo = ({apply_on: on}: Rule, labelled: Labelled | undefined): boolean =>
  labelled === 'new' ? on?.new !== false : labelled === 'fork' && on?.fork === true

/** What the commands of labels run with. */
export type LabelDeps = {
  /** The checkout, where they run. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Undefined where nobody may be asked: then a command that asks does not run. */
  readonly prompter: Prompter | undefined
  readonly warn: (text: string) => void
  readonly signal: AbortSignal
}

/** How long the command of a label may run. Unit: milliseconds. */
const patienceMs = 30_000

/**
 * The labels that `conversation.labels` puts on, those whose value a command prints included (W30: what only an untrusted
 * checkout says is not among the rules). One that can't be had is a warning.
 * @param chosen what is labelled, and the rules that are carried out whatever they apply on.
 */
export const configuredLabels = async (
  rules: Rules,
  chosen: {readonly labelled: Labelled | undefined; readonly keys: readonly string[]},
  deps: LabelDeps,
): Promise<Labels> => {
  const labels: Record<string, string> = {}
  for (const [key, rule] of Object.entries(rules)) {
    if (!chosen.keys.includes(key) && !appliesTo(rule, chosen.labelled)) continue
    const value = await valueOf(key, rule, deps)
    if (value !== undefined) labels[key] = value
  }
  return labels
}

const valueOf = async (key: string, {value, run}: Rule, deps: LabelDeps): Promise<string | undefined> => {
  if (value === undefined || typeof value === 'string') return value ?? ''
  const {program, args, shell} = commandLineOf(value.cmd)
  const line = [program, ...args].join(' ')
  if (!(await mayRun(run ?? 'ask', {key, line}, deps))) return undefined
  const command = shell ? {command: 'sh', args: ['-c', line]} : {command: program, args}
  const end = await runCommand({...command, cwd: deps.root, env: deps.env}, deps.signal, {timeoutMs: patienceMs})
  if (end.failure === undefined) return end.stdout.trim()
  deps.warn(`The label ${key} was left out: ${line} ended with ${end.failure}.`)
  return undefined
}

const mayRun = async (
  policy: NonNullable<Rule['run']>,
  {key, line}: {readonly key: string; readonly line: string},
  {prompter, warn}: LabelDeps,
): Promise<boolean> => {
  if (policy === 'unattended') return true
  if (policy === 'ask' && prompter !== undefined) {
    return prompter.confirm({message: `Run this for the label ${key}?`, detail: line})
  }
  const why = policy === 'ask' ? 'nobody could be asked about its command' : 'its command is denied'
  warn(`The label ${key} was left out: ${why}.`)
  return false
}
