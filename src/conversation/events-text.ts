import {isUtf8} from 'node:buffer'
import {corruptFile, jsonReason} from './corruption.js'
import {createElementScanner} from './element-scanner.js'
import type {StoredEvent} from './event.js'
import {checkEvent, type RawEvent} from './event-check.js'
import {createStoredEvent} from './event-codec.js'

/** The bytes of a stream without events. */
export const emptyEvents = Buffer.from('[]\n')

/**
 * Every event of a file's bytes, in order (W18). The elements' own texts are cut out when one is asked for.
 * @throws JpError `conversation_corrupt`.
 */
export const parseEvents = (bytes: Buffer, path: string): readonly StoredEvent[] => {
  let slices: readonly Buffer[] | undefined
  const textAt = (index: number): string => (slices ??= elementSlices(bytes, path))[index]?.toString('utf8') ?? ''
  return checkEvents(bytes, path).map((event, index) => createStoredEvent(event, () => textAt(index)))
}

/**
 * Parses and checks every element, and makes nothing more of them.
 * @throws JpError `conversation_corrupt`.
 */
export const checkEvents = (bytes: Buffer, path: string): readonly RawEvent[] =>
  parseArray(bytes, path).map((element, index, elements) => {
    const event = checkEvent(element)
    if (typeof event !== 'string') return event
    throw corruptFile(path, `event ${index + 1} of ${elements.length}: ${event}`)
  })

const parseArray = (bytes: Buffer, path: string): readonly unknown[] => {
  if (!isUtf8(bytes)) throw corruptFile(path, 'it is not UTF-8')
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    // The scanner knows the usual damages by name: a cut, a byte order mark, text behind the end.
    throw corruptFile(path, structureProblem(bytes) ?? jsonReason(error), error)
  }
  if (!Array.isArray(value)) throw corruptFile(path, structureProblem(bytes) ?? 'it is no JSON array')
  return value
}

const structureProblem = (bytes: Buffer): string | undefined => {
  const scanner = createElementScanner()
  scanner.push(bytes)
  return scanner.end()
}

/**
 * The bytes of each element, as they stand in the file.
 * @throws JpError `conversation_corrupt`.
 */
export const elementSlices = (bytes: Buffer, path: string): readonly Buffer[] => {
  const scanner = createElementScanner()
  const slices = scanner.push(bytes)
  const problem = scanner.end()
  if (problem !== undefined) throw corruptFile(path, problem)
  return slices
}

/**
 * Every event of a text that comes in chunks, one at a time: for streams that are larger than what memory should hold.
 * @throws JpError `conversation_corrupt`, when the damage is reached.
 */
export function* streamEvents(chunks: Iterable<Buffer>, path: string): Generator<StoredEvent> {
  const scanner = createElementScanner()
  let index = 0
  for (const chunk of chunks) {
    for (const element of scanner.push(chunk)) yield parseElement(element, ++index, path)
  }
  const problem = scanner.end()
  if (problem !== undefined) throw corruptFile(path, problem)
}

const parseElement = (element: Buffer, number: number, path: string): StoredEvent => {
  if (!isUtf8(element)) throw corruptFile(path, `event ${number} is not UTF-8`)
  const text = element.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw corruptFile(path, `event ${number}: ${jsonReason(error)}`, error)
  }
  const event = checkEvent(value)
  if (typeof event === 'string') throw corruptFile(path, `event ${number}: ${event}`)
  return createStoredEvent(event, () => text)
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * The bytes of a file with elements added at its end. What was there stays byte for byte (W18).
 * @param bytes a JSON array that has been parsed.
 * @param texts elements as `eventText` writes them.
 */
export const appendElements = (bytes: Buffer, texts: readonly string[]): Buffer => {
  if (texts.length === 0) return bytes
  let end = bytes.length - 1
  while (isSpace(bytes[end])) end -= 1
  let last = end - 1
  while (isSpace(bytes[last])) last -= 1
  const separator = bytes[last] === 0x5b ? '\n' : ',\n'
  const added = Buffer.from(`${separator}${texts.join(',\n')}\n`)
  return Buffer.concat([bytes.subarray(0, last + 1), added, bytes.subarray(end)])
}

/** The bytes of a file that holds these elements: element texts cut out of another stream, or new ones. */
export const eventsOf = (texts: readonly string[]): Buffer => appendElements(emptyEvents, texts)
