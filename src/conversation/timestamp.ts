/**
 * The two spellings of time (facts 2.2). Conversation files hold `YYYY-MM-DD HH:MM:SS.f` in UTC without a zone; the
 * wire holds RFC 3339. Stored texts may carry nine digits of a second, so they are turned into each other as text.
 */

const storedPattern =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/
const rfcPattern = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** A time as conversation files write it: trailing zeros of the fraction go, one digit stays. */
export const storedTimestamp = (ms: number): string => {
  const [date = '', time = ''] = new Date(ms).toISOString().slice(0, -1).split('T')
  return `${date} ${time.replace(/0{1,2}$/, '')}`
}

/** True when a stored text is a time, in either spelling. */
export const isStoredTime = (text: string): boolean => storedPattern.test(text) || rfc3339OfStored(text) !== undefined

/** A stored text (either spelling) as RFC 3339 in UTC with the digits that it had; undefined when it is no time. */
export const rfc3339OfStored = (text: string): string | undefined => {
  if (!storedPattern.test(text)) return rfcPattern.test(text) ? inUtc(text) : undefined
  return `${text.slice(0, dateLength)}T${text.slice(dateLength + 1, endOfDigits(text))}Z`
}

const dateLength = 'YYYY-MM-DD'.length
const wholeSecondsLength = 'YYYY-MM-DD HH:MM:SS'.length

/** The trailing zeros of a fraction go, and the point when nothing is left of it. By hand: listings do it for each row. */
const endOfDigits = (text: string): number => {
  let end = text.length
  if (end === wholeSecondsLength) return end
  while (text[end - 1] === '0') end -= 1
  return text[end - 1] === '.' ? end - 1 : end
}

const inUtc = (text: string): string | undefined => {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return undefined
  return /[Zz]$/.test(text) ? text : new Date(ms).toISOString()
}

/** A stored text (either spelling) as a moment, or undefined. Unit: milliseconds since the Unix epoch. */
export const momentOfStored = (text: string): number | undefined => {
  const ms = Date.parse(rfc3339OfStored(text) ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
