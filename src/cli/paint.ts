import {styleText} from 'node:util'

/** The styles that jp uses. */
export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'magenta' | 'underline' | 'italic'

/** Colours a text, or gives it back as it is where there are no colours. */
export type Paint = (style: Style, text: string) => string

/** Creates a painter. */
export const createPaint = (enabled: boolean): Paint =>
  enabled ? (style, text) => styleText(style, text, {validateStream: false}) : (_, text) => text

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
