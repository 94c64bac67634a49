import type {Configuration} from '../config/schema.js'
import {JpError} from '../errors/jp-error.js'
import {parseTimeSpan} from '../platform/time-span.js'

/** Where the turns that are compacted begin or end. */
export type TurnEdge =
  /** So many turns at this end stay as they are. */
  | {readonly kind: 'keep'; readonly turns: number}
  /** The turns that began within this time of the end (or of the beginning) stay. Unit: milliseconds. */
  | {readonly kind: 'keep_span'; readonly ms: number}
  /** This turn, counted from 1; a negative number counts from the last one, -1. */
  | {readonly kind: 'turn'; readonly turn: number}

/** What becomes of tool calls: their arguments, their results or both are left out, or the calls themselves. */
export type ToolMode = 'strip' | 'strip-requests' | 'strip-responses' | 'omit'

/** A summary that a model writes. */
export type SummaryWish = {
  /** The assistant's model when absent. */
  readonly model?: Configuration['assistant']['model'] | undefined
  /** What the model is told, in place of the built-in words. */
  readonly instructions?: string | undefined
  /** The model is shown the turns in front of them too. */
  readonly seesAll: boolean
}

/** One way to make a part of a conversation shorter for the model. */
export type CompactionRule = {
  readonly from: TurnEdge
  readonly to: TurnEdge
  readonly reasoning: boolean
  readonly tools: ToolMode | undefined
  readonly summary: SummaryWish | undefined
}

/** What is compacted when nothing says how: all turns but the last lose their reasoning and the contents of tool calls. */
export const plainRule: CompactionRule = {
  from: {kind: 'keep', turns: 0},
  to: {kind: 'keep', turns: 1},
  reasoning: true,
  tools: 'strip',
  summary: undefined,
}

/** `conversation.compaction.rules`; without any, {@link plainRule}. @throws JpError `config_value_invalid`. */
export const configuredRules = ({conversation}: Pick<Configuration, 'conversation'>): readonly CompactionRule[] => {
  const {rules} = conversation.compaction
  return rules.length === 0 ? [plainRule] : rules.map(configuredRule)
}

type ConfiguredRule = Configuration['conversation']['compaction']['rules'][number]

const configuredRule = (rule: ConfiguredRule): CompactionRule => {
  const {summary} = rule
  return {
    from: keptEdge(rule.keep_first, plainRule.from, 'keep_first'),
    to: keptEdge(rule.keep_last, plainRule.to, 'keep_last'),
    reasoning: rule.reasoning !== undefined && strips(rule.reasoning),
    tools: rule.tool_calls === undefined ? undefined : configuredTools(rule.tool_calls),
    summary:
      summary === undefined
        ? undefined
        : {model: summary.model, instructions: summary.instructions, seesAll: seesAll(summary.context)},
  }
}

const keptEdge = (value: number | string | undefined, otherwise: TurnEdge, key: string): TurnEdge =>
  value === undefined ? otherwise : (parseKept(String(value)) ?? unfit(key, value, 'a number of turns, or a time: 3h'))

/** What stays at one end, as typed or configured: `3`, `2h`. Undefined for what is neither. */
export const parseKept = (text: string): TurnEdge | undefined => {
  if (/^\d{1,9}$/.test(text)) return {kind: 'keep', turns: Number(text)}
  const ms = parseTimeSpan(text)
  return ms === undefined ? undefined : {kind: 'keep_span', ms}
}

const strips = (value: unknown): boolean =>
  value === 'strip' || value === true || (value !== false && unfit('reasoning', value, '"strip"'))

/** The spellings of a way with tool calls; the short ones are those of the command line. */
const toolModes: Readonly<Record<string, ToolMode>> = {
  strip: 'strip',
  sreq: 'strip-requests',
  'strip-requests': 'strip-requests',
  sres: 'strip-responses',
  'strip-responses': 'strip-responses',
  omit: 'omit',
}

/** What the command line and `rules` may say of tool calls. */
export const toolModeNames: readonly string[] = Object.keys(toolModes)

/** The way with tool calls of this name; undefined for none. */
export const toolModeOf = (name: string): ToolMode | undefined =>
  Object.hasOwn(toolModes, name) ? toolModes[name] : undefined

const configuredTools = (value: unknown): ToolMode => {
  const mode = typeof value === 'string' ? toolModeOf(value) : toolModeOfParts(value)
  return mode ?? unfit('tool_calls', value, toolModeNames.join(', '))
}

/** The spelling of stored compactions: `{policy, request, response}`. */
const toolModeOfParts = (value: unknown): ToolMode | undefined => {
  if (typeof value !== 'object' || value === null || !('policy' in value)) return undefined
  if (value.policy === 'omit') return 'omit'
  if (value.policy !== 'strip') return undefined
  const [request, response] = [!('request' in value) || value.request, !('response' in value) || value.response]
  if (request) return response ? 'strip' : 'strip-requests'
  return response ? 'strip-responses' : undefined
}

const seesAll = (context: unknown): boolean =>
  context === 'all' || (context !== undefined && context !== 'turns' && unfit('summary.context', context, 'turns, all'))

const unfit = (key: string, value: unknown, fit: string): never => {
  throw new JpError(
    'config_value_invalid',
    `conversation.compaction.rules: ${key} can't be ${JSON.stringify(value)}.`,
    {hint: `It may be ${fit}.`},
  )
}
