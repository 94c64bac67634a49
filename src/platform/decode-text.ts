import {isUtf8} from 'node:buffer'

/** Bytes from outside as text. */
export type DecodedText = {
  readonly text: string
  /** True when some bytes were no text and became U+FFFD. */
  readonly repaired: boolean
}

/**
 * Decodes what a pipe, a file or a program gives as text (FR-27), the same everywhere: UTF-8, or UTF-16 when a byte order
 * mark says so; the mark itself goes. Bytes that are no text, NUL among them, become U+FFFD.
 */
export const decodeText = (bytes: Uint8Array): DecodedText => {
  const decoded = decode(bytes)
  if (!decoded.text.includes('\0')) return decoded
  return {text: decoded.text.replaceAll('\0', '\ufffd'), repaired: true}
}

const decode = (bytes: Uint8Array): DecodedText => {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined
  if (utf16 === undefined) return {text: new TextDecoder().decode(bytes), repaired: !isUtf8(bytes)}
  const text = new TextDecoder(utf16).decode(bytes)
  const fits = bytes.length % 2 === 0
  return {text, repaired: !fits || text.includes('\ufffd')}
}
