import type {Readable} from 'node:stream'
import {createLineFramer} from '../platform/json-lines.js'

/** How many of the last lines are kept. */
const keptLines = 100

/** A longer line is cut. Unit: bytes. */
const maxLineBytes = 16 * 1024

/** The last lines that a server wrote to stderr, for its error messages (facts 9.9). */
export const keepTail = (stream: Readable, redact: (text: string) => string): {lines(): readonly string[]} => {
  const lines: string[] = []
  const keep = (line: string): void => {
    lines.push(redact(line))
    if (lines.length > keptLines) lines.shift()
  }
  const framer = createLineFramer(
    {
      line: keep,
      tooLong: () => keep('[a line that is too long to keep]'),
      notUtf8: (bytes) => keep(bytes.toString('latin1')),
    },
    maxLineBytes,
  )
  stream.on('data', (bytes: Buffer) => framer.push(bytes))
  stream.on('end', () => framer.end())
  stream.on('error', () => undefined)
  return {lines: () => [...lines]}
}
