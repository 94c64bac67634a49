/** Takes the text of a JSON array apart into the bytes of its elements, chunk by chunk, in bounded memory. */
export interface ElementScanner {
  /** The elements that this chunk completes, as views of its memory where they lie in it whole. */
  push(chunk: Buffer): Buffer[]
  /** Why the text is no array of objects when it ends here; undefined when it is one. */
  end(): string | undefined
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d

/**
 * Creates a scanner. It finds where elements begin and end; whether each is valid JSON is for `JSON.parse` to say.
 * Elements that are no objects are refused, since an event is one.
 */
export const createElementScanner = (): ElementScanner => {
  let state: 'start' | 'first' | 'next' | 'element' | 'separator' | 'done' = 'start'
  let problem: string | undefined
  let depth = 0
  let inString = false
  let isEscaped = false
  let offset = 0
  let pieces: Buffer[] = []

  /** The index behind the string's closing quote, or the chunk's length when it goes on. */
  const skipString = (chunk: Buffer, from: number): number => {
    let at = from
    if (isEscaped && at < chunk.length) {
      isEscaped = false
      at += 1
    }
    for (let searchFrom = at; ; ) {
      const end = chunk.indexOf(quote, searchFrom)
      const stop = end === -1 ? chunk.length : end
      let backslashes = 0
      while (stop - backslashes - 1 >= at && chunk[stop - backslashes - 1] === backslash) backslashes += 1
      const isOdd = backslashes % 2 === 1
      if (end === -1) {
        isEscaped = isOdd
        return chunk.length
      }
      if (!isOdd) {
        inString = false
        return end + 1
      }
      searchFrom = end + 1
    }
  }

  /** The index behind the element's last byte, or the chunk's length when it goes on. */
  const skipElement = (chunk: Buffer, from: number): number => {
    let at = from
    while (at < chunk.length) {
      if (inString) {
        at = skipString(chunk, at)
        continue
      }
      const byte = chunk[at++] as number
      if (byte === quote) inString = true
      else if (opens(byte)) depth += 1
      else if (closes(byte)) {
        depth -= 1
        if (depth === 0) return at
      }
    }
    return at
  }

  /** One byte outside any element. */
  const step = (byte: number, at: number): void => {
    if (isSpace(byte)) return
    if (state === 'start' && byte === 0x5b) state = 'first'
    else if ((state === 'first' || state === 'separator') && byte === 0x5d) state = 'done'
    else if ((state === 'first' || state === 'next') && byte === 0x7b) state = 'element'
    else if (state === 'separator' && byte === comma) state = 'next'
    else problem = describe(state, byte, at)
  }

  return {
    push(chunk) {
      const elements: Buffer[] = []
      let at = 0
      while (at < chunk.length && problem === undefined) {
        if (state !== 'element') {
          step(chunk[at] as number, offset + at)
          if ((state as string) !== 'element') at += 1
          continue
        }
        const end = skipElement(chunk, at)
        const piece = chunk.subarray(at, end)
        // What goes on in the next chunk is kept: the chunk's memory may be used again.
        pieces.push(depth === 0 ? piece : Buffer.from(piece))
        if (depth === 0) {
          elements.push(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces))
          pieces = []
          state = 'separator'
        }
        at = end
      }
      offset += chunk.length
      return elements
    },
    end() {
      if (problem !== undefined) return problem
      if (state === 'done') return undefined
      return state === 'start' ? 'it is empty' : `it is cut off at byte ${offset}`
    },
  }
}

const describe = (state: string, byte: number, at: number): string => {
  const shown =
    byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`
  if (state === 'start')
    return byte === 0xef ? 'it starts with a byte order mark' : `it is no JSON array: it starts with ${shown}`
  if (state === 'done') return `there is more behind its end: ${shown} at byte ${at}`
  return `an element is no object: ${shown} at byte ${at}`
}
