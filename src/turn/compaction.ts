import type {LanguageModelV4} from '@ai-sdk/provider'
import type {Compaction, KnownEvent, StoredEvent} from '../conversation/event.js'
import {momentOfStored} from '../conversation/timestamp.js'
import {withTurns} from '../conversation/turns.js'
import {JpError} from '../errors/jp-error.js'
import {collectAnswer} from './answer-collector.js'
import type {CompactionRule, SummaryWish, ToolMode, TurnEdge} from './compaction-rule.js'
import {projectTranscript} from './transcript.js'

/** Turns of a conversation, counted from 0, both ends inclusive. */
export type TurnRange = {readonly from: number; readonly to: number}

/** The turns that a rule covers in a stream; undefined when there are none. */
export const compactedRange = (
  events: readonly StoredEvent[],
  {from, to}: Pick<CompactionRule, 'from' | 'to'>,
  nowMs: number,
): TurnRange | undefined => {
  const starts = turnStarts(events)
  const range = {from: firstTurn(from, starts), to: Math.min(lastTurn(to, starts, nowMs), starts.length - 1)}
  return range.to < range.from ? undefined : range
}

/** When each turn began. Unit: milliseconds since the Unix epoch. */
const turnStarts = (events: readonly StoredEvent[]): readonly number[] => {
  const starts: number[] = []
  for (const [{timestamp}, turn] of withTurns(events)) {
    if (turn > starts.length) starts.push(momentOfStored(timestamp) ?? 0)
  }
  return starts
}

const firstTurn = (edge: TurnEdge, starts: readonly number[]): number => {
  if (edge.kind === 'keep') return edge.turns
  if (edge.kind === 'turn') return turnAt(edge.turn, starts.length)
  const [begin = 0] = starts
  return starts.filter((start) => start < begin + edge.ms).length
}

const lastTurn = (edge: TurnEdge, starts: readonly number[], nowMs: number): number => {
  if (edge.kind === 'keep') return starts.length - 1 - edge.turns
  if (edge.kind === 'turn') return turnAt(edge.turn, starts.length)
  return starts.filter((start) => start <= nowMs - edge.ms).length - 1
}

const turnAt = (turn: number, count: number): number => (turn > 0 ? turn - 1 : Math.max(count + turn, 0))

/** The event that makes a range shorter for the model (facts 2.5). What is stored stays whole. */
export const compactionEvent = (
  {from, to}: TurnRange,
  {reasoning, tools}: Pick<CompactionRule, 'reasoning' | 'tools'>,
  summary: string | undefined,
): Compaction => ({
  type: 'compaction',
  from_turn: from,
  to_turn: to,
  ...(summary === undefined ? {} : {summary: {summary}}),
  ...(reasoning ? {reasoning: 'strip' as const} : {}),
  ...(tools === undefined ? {} : {tool_calls: toolPolicies[tools]}),
})

const toolPolicies: Readonly<Record<ToolMode, NonNullable<Compaction['tool_calls']>>> = {
  strip: {policy: 'strip', request: true, response: true},
  'strip-requests': {policy: 'strip', request: true, response: false},
  'strip-responses': {policy: 'strip', request: false, response: true},
  omit: {policy: 'omit'},
}

/** True when a compaction that is stored already does all that this rule would do to these turns. */
export const isCompacted = (events: readonly StoredEvent[], range: TurnRange, rule: CompactionRule): boolean => {
  const wanted = compactionEvent(range, rule, rule.summary === undefined ? undefined : '')
  return events.some(
    ({known}) =>
      known?.type === 'compaction' &&
      known.from_turn === wanted.from_turn &&
      known.to_turn === wanted.to_turn &&
      known.reasoning === wanted.reasoning &&
      (known.summary === undefined) === (wanted.summary === undefined) &&
      JSON.stringify(known.tool_calls) === JSON.stringify(wanted.tool_calls),
  )
}

const instruction =
  'Sum up the conversation above for someone who goes on with it: what was asked, decided, done and found, names and numbers exactly, what is still open. Write only the summary.'

/**
 * Has a model sum turns up.
 * @throws JpError `provider_*`; `provider_misbehaved` for an answer without words; the signal's reason.
 */
export const summarise = async (
  events: readonly StoredEvent[],
  {range, wish}: {readonly range: TurnRange; readonly wish: SummaryWish},
  {model, signal}: {readonly model: LanguageModelV4; readonly signal: AbortSignal},
): Promise<string> => {
  const shown = [...withTurns(events)].flatMap(([{known}, turn]) =>
    known !== undefined && turn - 1 <= range.to && (wish.seesAll || turn - 1 >= range.from) ? [known] : [],
  )
  const request: KnownEvent = {type: 'chat_request', content: wish.instructions ?? instruction, timestamp: ''}
  const {stream} = await model.doStream({prompt: projectTranscript([...shown, request]), abortSignal: signal})
  const summary = (await collectAnswer(stream)).text.trim()
  if (summary !== '') return summary
  throw new JpError('provider_misbehaved', 'The model gave no summary.', {
    hint: 'Try another one: --model PROVIDER/NAME',
  })
}
