import {resolve} from 'node:path'
import {durationMs} from '../../config/duration.js'
import {labelKey, parseLabels} from '../../conversation/labels.js'
import {JpError} from '../../errors/jp-error.js'
import {readText} from '../../platform/files.js'
import type {Invocation} from '../invocation.js'
import {countOf} from '../optional-value.js'
import {mountAssignments, parseMount} from './mount-flags.js'
import type {QueryOptions} from './query-options.js'
import {parseSchema} from './schema-text.js'
import type {ToolFlag} from './tool-flags.js'

/** The flags of `jp query`, as oclif gives them. */
export type QueryFlags = {
  readonly new: boolean
  readonly id: string | undefined
  readonly there: boolean
  readonly fork: string | undefined
  readonly local: boolean
  readonly 'no-local': boolean
  readonly tmp: string | undefined
  readonly title: string | undefined
  readonly label: readonly string[] | undefined
  readonly mount: readonly string[] | undefined
  readonly attach: readonly string[] | undefined
  readonly model: string | undefined
  readonly param: readonly string[] | undefined
  readonly reasoning: string | undefined
  readonly 'no-reasoning': boolean
  readonly 'hide-reasoning': boolean
  readonly 'hide-tool-calls': boolean
  readonly 'tool-use': string | undefined
  readonly 'allow-denied': boolean
  readonly schema: string | undefined
  readonly edit: boolean
  readonly 'no-edit': boolean
  readonly compact: string | undefined
  readonly replay: boolean
  readonly template: boolean
  readonly quote: string | undefined
  readonly 'no-title': boolean
  readonly 'no-tool-use': boolean
}

/** A query as typed. */
export type TypedQuery = {
  readonly flags: QueryFlags
  readonly words: readonly string[]
  readonly toolFlags: readonly ToolFlag[]
}

type RawToken = {readonly type: string; readonly flag?: string; readonly input: string}

/** The flags for tools in the order in which they were typed: a later one wins over an earlier one. */
export const toolFlagsOf = (raw: readonly RawToken[]): ToolFlag[] =>
  raw.flatMap(({flag, input}): ToolFlag[] => {
    if (flag === 'tool' || flag === 'no-tool') return [{on: flag === 'tool', name: input}]
    return flag === 'tools' || flag === 'no-tools' ? [{on: flag === 'tools', name: undefined}] : []
  })

/**
 * What the flags of `jp query` ask for. What is configuration becomes an assignment behind those of `--cfg` (W13).
 * @throws JpError `usage` for a value that can't be read.
 */
export const readQueryOptions = (
  {flags, words, toolFlags}: TypedQuery,
  {globals, environment}: Invocation,
): QueryOptions => {
  const mounts = (flags.mount ?? []).map((mount) => parseMount(mount, environment.cwd))
  return {
    words: wordsOf(words, environment.cwd),
    conversation: conversationOf(flags),
    fork: flags.fork === undefined ? undefined : {keep: countOf('fork', flags.fork)},
    local: flags.local ? true : flags['no-local'] ? false : undefined,
    expiresInMs: flags.tmp === undefined ? undefined : spanOf(flags.tmp),
    title: flags.title,
    labels: parseLabels((flags.label ?? []).filter((label) => !label.startsWith(':'))),
    labelRules: (flags.label ?? []).filter((label) => label.startsWith(':')).map((label) => labelKey(label.slice(1))),
    replay: flags.replay,
    template: flags.template,
    quote: isQuoting(flags),
    schema: flags.schema === undefined ? undefined : parseSchema(textOf(flags.schema, environment.cwd)),
    edit: flags.edit || isQuoting(flags) ? true : flags['no-edit'] ? false : undefined,
    compact: flags.compact,
    there: flags.there,
    showReasoning: !flags['hide-reasoning'],
    showToolCalls: !flags['hide-tool-calls'],
    allowDenied: flags['allow-denied'],
    toolFlags,
    attachments: flags.attach ?? [],
    mounts,
    cfg: [...globals.cfg, ...assignmentsOf(flags), ...mountAssignments(mounts)],
  }
}

const conversationOf = (flags: QueryFlags): QueryOptions['conversation'] => {
  if (flags.new || flags.local || flags['no-local']) return {kind: 'new'}
  return flags.id === undefined ? {kind: 'session'} : {kind: 'target', target: flags.id}
}

/** A single word `@FILE` is the message that stands in that file. */
const wordsOf = (words: readonly string[], cwd: string): readonly string[] => {
  const [only] = words
  const isFile = words.length === 1 && only !== undefined && /^@\S+$/.test(only)
  return isFile ? [textOf(only, cwd).replace(/[\r\n]+$/, '')] : words
}

const textOf = (value: string, cwd: string): string =>
  value.startsWith('@') ? readText(resolve(cwd, value.slice(1))) : value

const isQuoting = ({quote}: QueryFlags): boolean => quote !== undefined && isOn('quote', quote)

const isOn = (flag: string, text: string): boolean => {
  if (text === '' || text === 'true') return true
  if (text === 'false') return false
  throw new JpError('usage', `--${flag} can't be "${text}".`, {hint: `Write --${flag}, or --${flag}=false.`})
}

const spanOf = (text: string): number => {
  if (text === '') return 0
  if (/^\d/.test(text)) return durationMs(text)
  throw new JpError('usage', `--tmp can't be "${text}".`, {hint: 'Give it a time such as 2h or 3d, or 0.'})
}

/** Flags that set configuration, in the spelling of `--cfg`. */
const assignmentsOf = (flags: QueryFlags): string[] => [
  ...(flags.model === undefined ? [] : [`assistant.model.id=${flags.model}`]),
  ...(flags.param ?? []).map((param) => `assistant.model.parameters.${parameter(param)}`),
  ...(flags.reasoning === undefined ? [] : [`assistant.model.parameters.reasoning=${flags.reasoning}`]),
  ...(flags['tool-use'] === undefined ? [] : [`assistant.tool_choice=${flags['tool-use']}`]),
  ...(flags['no-tool-use'] ? ['assistant.tool_choice=none'] : []),
  ...(flags['no-title'] ? ['conversation.title.generate.auto:=false', 'conversation.title.from_heading:=false'] : []),
  ...(flags['no-reasoning'] ? ['assistant.model.parameters.reasoning=off'] : []),
]

const parameter = (param: string): string => {
  if (/^[A-Za-z_][\w.-]*:?\+?=/.test(param)) return param
  throw new JpError('usage', `--param can't be "${param}".`, {hint: 'Write it as KEY=VALUE: --param temperature=0.2'})
}
