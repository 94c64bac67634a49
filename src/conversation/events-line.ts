import type {ConversationId} from '../platform/id-grammar.js'
import {
  type ConversationSummary,
  parseBaseConfig,
  readMetadataText,
  readStreamBytes,
  summaryOf,
} from './conversation.js'
import {createStoredEvent, hasEncodedFields} from './event-codec.js'
import {checkEvents, elementSlices} from './events-text.js'
import {readSettled, unitCopy, type View} from './located.js'
import {parseMetadata} from './metadata.js'

/** A conversation with its stream as it goes over a wire of JSON lines. */
export type ConversationLine = ConversationSummary & {
  /** A JSON array of every event, encoded fields decoded, on one line. */
  readonly events: Buffer
}

/**
 * Reads a conversation for a peer. It is proven whole, as by `readConversation`, but nothing is made of its events: what
 * needs no decoding keeps the bytes of the file.
 * @throws JpError as `readConversation`.
 */
export const readConversationLine = (view: View, id: ConversationId): ConversationLine =>
  readSettled(view.roots, id, (located) => {
    const metadataFile = readMetadataText(located)
    const stream = readStreamBytes(located)
    parseBaseConfig(stream.baseConfig, unitCopy(located, 'stream').copy.directory)
    return {
      ...summaryOf(view, located, parseMetadata(metadataFile.text, metadataFile.path)),
      events: eventsLine(stream.events, stream.path),
    }
  })

/**
 * The events of a file as one line of JSON.
 * @param bytes of the file; they are changed in place: a line must not hold line feeds.
 * @throws JpError `conversation_corrupt`.
 */
export const eventsLine = (bytes: Buffer, path: string): Buffer => {
  const events = checkEvents(bytes, path)
  if (!events.some(hasEncodedFields)) return onOneLine(bytes)
  const slices = elementSlices(bytes, path)
  const parts: Buffer[] = []
  let end = 0
  for (const [index, event] of events.entries()) {
    const slice = slices[index]
    if (slice === undefined || !hasEncodedFields(event)) continue
    const start = slice.byteOffset - bytes.byteOffset
    parts.push(bytes.subarray(end, start), Buffer.from(JSON.stringify(createStoredEvent(event, () => '').value)))
    end = start + slice.length
  }
  return onOneLine(Buffer.concat([...parts, bytes.subarray(end)]))
}

/** Inside a JSON string both are escaped: these stand between the tokens, where one space is as good as another. */
const onOneLine = (bytes: Buffer): Buffer => {
  for (const lineEnd of [0x0a, 0x0d])
    for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) bytes[at] = 0x20
  return bytes
}
