import {JpError} from '../errors/jp-error.js'
import {type ConversationId, decisecondsOf, parseConversationId} from '../platform/id-grammar.js'
import {parseTimeSpan} from '../platform/time-span.js'

/**
 * A point in time as people name it (facts 8.4): a conversation's id, a span before now (`3d`), a date, or RFC 3339.
 * Unit: milliseconds since the Unix epoch.
 * @throws JpError `usage`.
 */
export const parseMoment = (text: string, nowMs: number): number => {
  const span = parseTimeSpan(text)
  if (span !== undefined) return nowMs - span
  if (/^\d{4}-\d{2}-\d{2}(?:[T ].+)?$/.test(text)) {
    const ms = Date.parse(text)
    if (!Number.isNaN(ms)) return ms
  }
  const id = text.startsWith('jp-c') || /^\d{11}/.test(text) ? parseConversationId(text) : undefined
  if (id !== undefined) return decisecondsOf(id) * 100
  throw new JpError('usage', `"${text}" is no point in time.`, {
    hint: 'Use a span before now (3d, 12h), a date (2026-09-01), RFC 3339, or the id of a conversation.',
  })
}

/** A span of time as typed: both ends as {@link parseMoment} takes them. */
export type TypedSpan = {readonly from?: string | undefined; readonly until?: string | undefined}

/**
 * The test of a span: whether a conversation was created in it. Undefined when neither end was given.
 * @throws JpError `usage`.
 */
export const createdWithin = (
  {from, until}: TypedSpan,
  nowMs: number,
): ((id: ConversationId) => boolean) | undefined => {
  if (from === undefined && until === undefined) return undefined
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : parseMoment(from, nowMs)
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : parseMoment(until, nowMs)
  return (id) => {
    const created = decisecondsOf(id) * 100
    return created >= fromMs && created <= untilMs
  }
}

/**
 * When a temporary conversation expires: a span after its creation, or `now` (as soon as no session has it active).
 * @throws JpError `usage`.
 */
export const parseExpiry = (text: string, createdMs: number): number => {
  if (text === 'now') return createdMs
  const span = parseTimeSpan(text)
  if (span !== undefined) return createdMs + span
  throw new JpError('usage', `"${text}" is no span of time.`, {hint: 'Use 30m, 12h, 3d, "1d 3h", or now.'})
}
