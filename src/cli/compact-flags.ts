import type {Configuration} from '../config/schema.js'
import {JpError} from '../errors/jp-error.js'
import {
  type CompactionRule,
  configuredRules,
  parseKept,
  plainRule,
  type TurnEdge,
  toolModeNames,
  toolModeOf,
} from '../turn/compaction-rule.js'
import {parseCompactionSpec} from '../turn/compaction-spec.js'

/** The flags of `jp c compact`, as oclif gives them. */
export type CompactFlags = {
  readonly 'keep-first'?: string | undefined
  readonly 'keep-last'?: string | undefined
  /** A turn, counted from 1; negative ones from the last, -1. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly reasoning?: boolean
  /** Empty without a value. */
  readonly tools?: string | undefined
  readonly summary?: string | undefined
  readonly model?: string | undefined
  /** Whole rules in one word each. */
  readonly compact?: readonly string[] | undefined
  readonly isDry: boolean
}

/**
 * The rules that the flags mean: one that they spell out, those of `--compact`, else the configured ones; a range that was
 * typed holds for each.
 * @throws JpError `usage`, `config_value_invalid`.
 */
export const rulesOf = async (
  flags: CompactFlags,
  config: () => Promise<Pick<Configuration, 'conversation'>>,
): Promise<readonly CompactionRule[]> => {
  const edges = edgesOf(flags)
  const typed = typedRules(flags)
  const rules = typed.length > 0 ? typed : configuredRules(await config())
  const isModelNamed = flags.model !== undefined
  return rules.map((rule) => ({
    ...rule,
    ...edges,
    summary: rule.summary === undefined || !isModelNamed ? rule.summary : {...rule.summary, model: undefined},
  }))
}

/** The rules of one `--compact` of another command: what it spells out, or for an empty one the configured ones. */
export const rulesOfSpec = (spec: string, config: Pick<Configuration, 'conversation'>): readonly CompactionRule[] =>
  spec === '' ? configuredRules(config) : [parseCompactionSpec(spec)]

const typedRules = (flags: CompactFlags): readonly CompactionRule[] => {
  const specs = (flags.compact ?? []).map(parseCompactionSpec)
  if (flags.reasoning !== true && flags.tools === undefined && flags.summary === undefined) return specs
  const tools = flags.tools === '' ? 'strip' : flags.tools
  return [
    ...specs,
    {
      ...plainRule,
      reasoning: flags.reasoning === true,
      tools: tools === undefined ? undefined : (toolModeOf(tools) ?? unfit('tools', tools, toolModeNames.join(', '))),
      summary: flags.summary === undefined ? undefined : {seesAll: seesAll(flags.summary)},
    },
  ]
}

const seesAll = (context: string): boolean =>
  context === 'all' || (context !== '' && context !== 'turns' && unfit('summary', context, 'turns, all'))

const edgesOf = (flags: CompactFlags): Partial<Pick<CompactionRule, 'from' | 'to'>> => {
  const from = edgeOf(flags, 'from', 'keep-first')
  const to = edgeOf(flags, 'to', 'keep-last')
  return {...(from === undefined ? {} : {from}), ...(to === undefined ? {} : {to})}
}

const edgeOf = (flags: CompactFlags, turn: 'from' | 'to', keep: 'keep-first' | 'keep-last'): TurnEdge | undefined => {
  const [at, kept] = [flags[turn], flags[keep]]
  if (at === 0) return unfit(turn, '0', 'a turn, counted from 1, or from the last, -1')
  if (at !== undefined) return {kind: 'turn', turn: at}
  return kept === undefined ? undefined : (parseKept(kept) ?? unfit(keep, kept, 'a number of turns, or a time: 3h'))
}

const unfit = (flag: string, value: string, fit: string): never => {
  throw new JpError('usage', `--${flag} can't be "${value}".`, {hint: `It may be ${fit}.`})
}
