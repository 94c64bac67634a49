import {decodeText} from '../../platform/decode-text.js'

/** Where the words of a request may come from. */
export type MessageParts = {
  readonly stdin: Uint8Array | undefined
  /** The arguments of the command line. */
  readonly words: readonly string[]
  /** Told when bytes were no text. */
  readonly warn: (text: string) => void
}

/**
 * Puts the message together: what stdin brought, then the arguments, apart by an empty line (W23). Line ends at the end
 * of stdin go, all other white space stays. Undefined when there are no words at all.
 */
export const composeMessage = ({stdin, words, warn}: MessageParts): string | undefined => {
  const decoded = decodeText(stdin ?? new Uint8Array())
  if (decoded.repaired) warn('Some bytes on stdin are no text (UTF-8); they were replaced by U+FFFD.')
  const content = decoded.text.replace(/[\r\n]+$/, '')
  const typed = words.join(' ')
  const parts = [content, typed].filter((part) => part.trim() !== '')
  return parts.length === 0 ? undefined : parts.join('\n\n')
}
