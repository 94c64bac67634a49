import {isUtf8} from 'node:buffer'

/** What a framer says of its stream. Each callback runs synchronously inside `push` or `end`. */
export interface LineSink {
  /** One whole line, without its line feed (and without a carriage return before it). */
  line(text: string): void
  /** A line that is longer than the bound; its bytes are dropped up to its end. */
  tooLong(limitBytes: number): void
  /** A line whose bytes are not UTF-8. */
  notUtf8(bytes: Buffer): void
}

/** The one line framer: bytes in, whole lines out, wherever the bytes were split (Q27). */
export interface LineFramer {
  push(bytes: Uint8Array): void
  /** The stream ended. A last line without a line feed counts as a line. */
  end(): void
}

/**
 * Creates a framer.
 * @param maxBytes the longest line, without its line feed; Infinity for no bound. Unit: bytes.
 */
export const createLineFramer = (sink: LineSink, maxBytes: number = Number.POSITIVE_INFINITY): LineFramer => {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let skipping = false

  const emit = (): void => {
    const bytes = pending.length === 1 && pending[0] !== undefined ? pending[0] : Buffer.concat(pending, pendingBytes)
    pending = []
    pendingBytes = 0
    const end = bytes.length > 0 && bytes[bytes.length - 1] === 0x0d ? bytes.length - 1 : bytes.length
    const line = bytes.subarray(0, end)
    if (isUtf8(line)) sink.line(line.toString('utf8'))
    else sink.notUtf8(line)
  }

  const hold = (part: Buffer): void => {
    if (skipping || part.length === 0) return
    if (pendingBytes + part.length > maxBytes) {
      pending = []
      pendingBytes = 0
      skipping = true
      sink.tooLong(maxBytes)
      return
    }
    pending.push(part)
    pendingBytes += part.length
  }

  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      let start = 0
      for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, start)) {
        hold(bytes.subarray(start, at))
        if (skipping) skipping = false
        else emit()
        start = at + 1
      }
      // Copied: a stream may reuse the chunk's memory once push has returned.
      if (start < bytes.length) hold(Buffer.from(bytes.subarray(start)))
    },
    end() {
      if (!skipping && pendingBytes > 0) emit()
      skipping = false
    },
  }
}

/** One message as a line: JSON without line feeds, and one at the end. */
export const encodeLine = (message: unknown): string => `${JSON.stringify(message)}\n`
