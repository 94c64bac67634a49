import type {LanguageModelV4} from '@ai-sdk/provider'
import type {Configuration} from '../config/schema.js'
import type {Compaction, StoredEvent} from '../conversation/event.js'
import {JpError} from '../errors/jp-error.js'
import {writesTitles} from '../providers/open-model.js'
import type {RetryNotice} from '../providers/provider-settings.js'
import {compactedRange, compactionEvent, isCompacted, summarise, type TurnRange} from './compaction.js'
import type {CompactionRule, SummaryWish} from './compaction-rule.js'
import {openTurnModel} from './turn-model.js'
import type {TurnPlace} from './turn-place.js'

/** One compaction that is to be made. */
export type PlannedCompaction = {readonly rule: CompactionRule; readonly range: TurnRange}

/** What the rules come to for a stream, without those that cover no turns and those that are made already. Pure. */
export const planCompactions = (
  events: readonly StoredEvent[],
  rules: readonly CompactionRule[],
  nowMs: number,
): readonly PlannedCompaction[] =>
  rules.flatMap((rule) => {
    const range = compactedRange(events, rule, nowMs)
    return range === undefined || isCompacted(events, range, rule) ? [] : [{rule, range}]
  })

/** What summaries are written with. */
export type CompactionDeps = {
  readonly place: TurnPlace
  /** Resolved for the conversation. */
  readonly config: () => Promise<Configuration>
  readonly onRetry: (notice: RetryNotice) => void
  readonly signal: AbortSignal
}

/**
 * The events of planned compactions; a model is asked only for summaries. Stores nothing.
 * @throws JpError `usage` for a model that writes none, those of opening a model and of asking it.
 */
export const compactionEvents = async (
  events: readonly StoredEvent[],
  planned: readonly PlannedCompaction[],
  deps: CompactionDeps,
): Promise<readonly Compaction[]> => {
  const made: Compaction[] = []
  for (const {rule, range} of planned) {
    const {summary: wish} = rule
    const summary =
      wish === undefined
        ? undefined
        : await summarise(events, {range, wish}, {model: await openSummariser(wish, deps), signal: deps.signal})
    made.push(compactionEvent(range, rule, summary))
  }
  return made
}

const openSummariser = async (
  wish: SummaryWish,
  {place, config: resolve, onRetry}: CompactionDeps,
): Promise<LanguageModelV4> => {
  const config = await resolve()
  const {assistant} = config
  const chosen = {...config, assistant: {...assistant, model: wish.model ?? assistant.model}}
  const {id, name, model} = await openTurnModel(chosen, place, onRetry)
  if (writesTitles(id)) return model
  throw new JpError('usage', `${name} writes no summaries.`, {hint: 'Name another: --model PROVIDER/NAME'})
}
