import {isUtf8} from 'node:buffer'

/**
 * What conversation files hold in base64 (facts 2.5): metadata values, tool arguments and tool results, string by string.
 * Decoding is tolerant: what is not base64 of UTF-8 text is an old plain string and stays as it is.
 */

const alphabet = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The text that a stored string stands for. */
export const decodeString = (stored: string): string => {
  if (stored === '' || stored.length % 4 !== 0 || !alphabet.test(stored)) return stored
  const bytes = Buffer.from(stored, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : stored
}

/** The stored form of a text. Half a surrogate pair becomes U+FFFD. */
export const encodeString = (text: string): string => Buffer.from(text.toWellFormed(), 'utf8').toString('base64')

/** A JSON value with every string in it changed; keys stay. */
export const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]))
}
