import type {Readable} from 'node:stream'
import {decodeText} from '../../platform/decode-text.js'

/** What of a stream is kept: its beginning and its end. Unit: bytes. */
const headBytes = 192 * 1024
const tailBytes = 64 * 1024

/** Gathers what a tool prints, in bounded memory, however much it is. */
export interface BoundedOutput {
  /** The text so far; the middle of a long one is left out and said so. Never ends inside a character. */
  text(): string
  /** Settles when the stream has ended or was closed. */
  readonly ended: Promise<void>
}

/** Reads a stream to its end and keeps at most 256 kB of it. */
export const gatherBounded = (stream: Readable): BoundedOutput => {
  const head: Buffer[] = []
  const tail: Buffer[] = []
  let headSize = 0
  let tailSize = 0
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    const fits = chunk.subarray(0, Math.max(0, headBytes - headSize))
    if (fits.length > 0) head.push(Buffer.from(fits))
    headSize += fits.length
    if (fits.length === chunk.length) return
    tail.push(Buffer.from(chunk.subarray(fits.length)))
    tailSize += chunk.length - fits.length
    while (tailSize - (tail[0]?.length ?? 0) >= tailBytes) tailSize -= tail.shift()?.length ?? 0
  })
  const ended = new Promise<void>((resolve) => {
    stream.once('end', resolve)
    stream.once('close', resolve)
    stream.once('error', () => resolve())
  })
  return {
    ended,
    text() {
      const start = Buffer.concat(head)
      const end = Buffer.concat(tail)
      if (size <= headBytes + tailBytes) return decodeText(Buffer.concat([start, end])).text
      const kept = end.subarray(Math.max(0, end.length - tailBytes))
      const leftOut = size - headSize - kept.length
      return `${decodeText(withoutCutEnd(start)).text}\n[… ${leftOut} bytes left out …]\n${decodeText(withoutCutStart(kept)).text}`
    },
  }
}

/** Without the first bytes of a character whose rest was left out. */
const withoutCutEnd = (bytes: Buffer): Buffer => {
  let start = bytes.length - 1
  while (start > 0 && bytes.length - start < 4 && isContinuation(bytes[start])) start -= 1
  const lead = bytes[start] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return bytes.length - start < length ? bytes.subarray(0, start) : bytes
}

/** Without the last bytes of a character whose start was left out. */
const withoutCutStart = (bytes: Buffer): Buffer => {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start += 1
  return bytes.subarray(start)
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
