import {styleText} from 'node:util'

/** The styles that jp uses. */
export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'magenta' | 'underline' | 'italic'

/** Colours a text, or gives it back as it is where there are no colours. */
export type Paint = (style: Style, text: string) => string

/** Creates a painter. */
export const createPaint = (enabled: boolean): Paint =>
  enabled ? (style, text) => styleText(style, text, {validateStream: false}) : (_, text) => text

/** Puts a background behind a text, line by line; the text as it is where there are no colours. */
export type Background = (text: string) => string

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/**
 * Creates a background from a colour of the configuration: a number of the 256 of a terminal, `#rgb`, `#rrggbb`, or the
 * name of one of the eight. No colour, and one that is none, changes nothing.
 */
export const createBackground = (enabled: boolean, color: string | number | undefined): Background => {
  const code = enabled && color !== undefined ? backgroundCode(color) : undefined
  if (code === undefined) return (text) => text
  return (text) => text.replaceAll(/[^\n]+/g, (line) => `\u001b[${code}m${line}\u001b[49m`)
}

const backgroundCode = (color: string | number): string | undefined => {
  if (typeof color === 'number' || /^\d{1,3}$/.test(color)) return `48;5;${color}`
  const at = names.indexOf(color.toLowerCase())
  if (at !== -1) return String(40 + at)
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(color) ?? []
  const digits = long ?? short?.replaceAll(/./g, '$&$&')
  return digits === undefined
    ? undefined
    : `48;2;${[0, 2, 4].map((from) => parseInt(digits.slice(from, from + 2), 16)).join(';')}`
}

/** What decides about colours on one stream (Q8). */
export type ColorQuestion = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
  readonly noColorFlag: boolean
}

/** The flag wins, then `NO_COLOR`, `FORCE_COLOR` (0 is no), `TERM=dumb`, then whether it is a terminal. */
export const wantsColor = ({env, isTerminal, noColorFlag}: ColorQuestion): boolean => {
  if (noColorFlag || (env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTerminal && env['TERM'] !== 'dumb'
}
