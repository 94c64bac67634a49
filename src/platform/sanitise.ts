import {stripVTControlCharacters} from 'node:util'

/**
 * Text from a model, a tool, a plugin, a file name or a title, made safe for a terminal (W31): no escape sequences, no
 * control characters but line feed and tab, no bidirectional overrides.
 */
export const forTerminal = (text: string): string => {
  const plain = text.includes('\u001b') || text.includes('\u009b') ? stripVTControlCharacters(text) : text
  return plain.replaceAll('\r\n', '\n').replace(unsafe, '')
}

const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** As {@link forTerminal}, on one line: for titles, names and table cells. */
export const forTerminalLine = (text: string): string =>
  isPlainLine(text) ? text : forTerminal(text).replace(/[\n\t]+/g, ' ')

/** Most cells of a table are, and one look is all that they cost. */
const isPlainLine = (text: string): boolean => plainLine.test(text)
const plainLine = /^[\u0020-\u007e]*$/

/**
 * Text shown for a decision (W31): nothing is removed. Control, bidirectional and zero-width characters are spelled out,
 * so that what is approved is what is read.
 */
export const spelledOut = (text: string): string =>
  text.replace(invisible, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  )

const invisible =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** Sanitises a text that arrives in pieces as if it had come whole. */
export interface StreamSanitiser {
  push(piece: string): string
  /** What was held back, when the text has ended. */
  end(): string
}

/** The longest unfinished escape sequence that is waited for. Unit: UTF-16 code units. */
const maxHeldUnits = 4096

/** Creates a sanitiser that holds back an escape sequence, a carriage return or half an emoji until the rest arrives. */
export const createStreamSanitiser = (): StreamSanitiser => {
  let held = ''
  return {
    push(piece) {
      const text = held + piece
      const cut = safeLength(text)
      held = text.slice(cut)
      return forTerminal(text.slice(0, cut))
    },
    end() {
      const rest = forTerminal(held)
      held = ''
      return rest
    },
  }
}

const safeLength = (text: string): number => {
  const unfinished =
    /(?:\u001b(?:[[(\])#;?0-9: ]*|\][^\u0007\u001b]*\u001b?)|\u009b[0-9;:?]*|\r|[\ud800-\udbff])$/.exec(text)
  if (unfinished === null || text.length - unfinished.index > maxHeldUnits) return text.length
  return unfinished.index
}
