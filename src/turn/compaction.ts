import type {LanguageModelV4} from '@ai-sdk/provider'
import type {Compaction, KnownEvent} from '../conversation/event.js'
import {JpError} from '../errors/jp-error.js'
import {createAnswerCollector} from './answer-collector.js'
import {projectTranscript} from './transcript.js'

/** What is to be made shorter, and how. */
export type CompactionWish = {
  /** Turns at the start, and at the end, that stay as they are. */
  readonly keepFirst: number
  readonly keepLast: number
  readonly reasoning: boolean
  readonly tools: 'strip' | 'omit' | undefined
  readonly summary: boolean
}

/** The turns that a wish covers, counted from 0, both ends inclusive; undefined when there are none. */
export const compactedRange = (
  turns: number,
  {keepFirst, keepLast}: Pick<CompactionWish, 'keepFirst' | 'keepLast'>,
): {readonly from: number; readonly to: number} | undefined => {
  const [from, to] = [keepFirst, turns - 1 - keepLast]
  return to < from ? undefined : {from, to}
}

/** The event that makes a range shorter for the model (facts 2.5). What is stored stays whole. */
export const compactionEvent = (
  {from, to}: {readonly from: number; readonly to: number},
  wish: Pick<CompactionWish, 'reasoning' | 'tools'>,
  summary: string | undefined,
): Compaction => ({
  type: 'compaction',
  from_turn: from,
  to_turn: to,
  ...(summary === undefined ? {} : {summary: {summary}}),
  ...(wish.reasoning ? {reasoning: 'strip' as const} : {}),
  ...(wish.tools === undefined ? {} : {tool_calls: toolPolicy(wish.tools)}),
})

const toolPolicy = (tools: 'strip' | 'omit'): NonNullable<Compaction['tool_calls']> =>
  tools === 'omit' ? {policy: 'omit'} : {policy: 'strip', request: true, response: true}

const instruction =
  'Sum up the conversation above for someone who goes on with it: what was asked, decided, done and found, names and numbers exactly, what is still open. Write only the summary.'

/**
 * Has a model sum turns up.
 * @param events of the turns alone.
 * @throws JpError `provider_*`; `provider_misbehaved` for an answer without words; the signal's reason.
 */
export const summarise = async (
  events: readonly KnownEvent[],
  model: LanguageModelV4,
  signal: AbortSignal,
): Promise<string> => {
  const request: KnownEvent = {type: 'chat_request', content: instruction, timestamp: ''}
  const {stream} = await model.doStream({prompt: projectTranscript([...events, request]), abortSignal: signal})
  const collector = createAnswerCollector()
  for await (const piece of stream) {
    if (piece.type === 'error') throw piece.error
    collector.push(piece)
  }
  const summary = collector.text.trim()
  if (summary !== '') return summary
  throw new JpError('provider_misbehaved', 'The model gave no summary.', {
    hint: 'Try another one: --model PROVIDER/NAME',
  })
}
