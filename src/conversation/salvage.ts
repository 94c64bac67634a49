import {isUtf8} from 'node:buffer'
import {decisecondsOf} from '../platform/id-grammar.js'
import type {Copy} from './conversation-roots.js'
import {createElementScanner} from './element-scanner.js'
import {checkEvent} from './event-check.js'
import {eventsOf} from './events-text.js'
import {storedTimestamp} from './timestamp.js'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * What can be kept of a damaged `events.json`: every element that is sound, as it is spelled, up to where the text can be
 * followed. Undefined when nothing says that it ever was a stream.
 */
export const salvageEvents = (
  bytes: Buffer,
): {readonly bytes: Buffer; readonly kept: number; readonly lost: number} | undefined => {
  const text = bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes
  const scanner = createElementScanner()
  const elements = scanner.push(text)
  const isWhole = scanner.end() === undefined
  const sound = elements.filter(isSound)
  if (sound.length === 0 && !isWhole) return undefined
  const lost = elements.length - sound.length + (isWhole ? 0 : 1)
  return {bytes: eventsOf(sound.map((element) => `  ${element.toString('utf8')}`)), kept: sound.length, lost}
}

const isSound = (element: Buffer): boolean => {
  try {
    return isUtf8(element) && typeof checkEvent(JSON.parse(element.toString('utf8'))) !== 'string'
  } catch {
    return false
  }
}

/** A `metadata.json` for a conversation whose own is lost: it has no title, and was used when it was made. */
export const rebuiltMetadata = ({id}: Pick<Copy, 'id'>): string =>
  `${JSON.stringify({last_activated_at: storedTimestamp(decisecondsOf(id) * 100)}, undefined, 2)}\n`

const escapes = /\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u(d[89a-f][0-9a-f]{2})|[\s\S])/gi

/** JSON text in which every escaped half of a surrogate pair is U+FFFD; nothing else changes (FR-26). */
export const mendSurrogates = (text: string): string =>
  text.replace(escapes, (whole: string, _high: unknown, _low: unknown, lone: unknown) =>
    lone === undefined ? whole : '\\ufffd',
  )
