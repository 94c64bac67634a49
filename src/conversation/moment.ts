import {JpError} from '../errors/jp-error.js'
import {decisecondsOf, parseConversationId} from '../platform/id-grammar.js'
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
