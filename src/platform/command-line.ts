import {JpError} from '../errors/jp-error.js'

/**
 * Splits a command line into its words: at blanks, with `'…'`, `"…"` and `\` as a shell has them, and nothing else of a
 * shell. For commands that a configuration or a flag names in one text.
 * @throws JpError `usage` when a quote is not closed, or when there is no word.
 */
export const splitCommandLine = (text: string): readonly [string, ...string[]] => {
  const words: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const isEscape = character === '\\' && quote !== "'"
    if (isEscape) {
      const next = text[++at] ?? '\\'
      word = `${word ?? ''}${quote === '"' && next !== '"' && next !== '\\' ? '\\' : ''}${next}`
    } else if (character === quote) quote = undefined
    else if (quote === undefined && (character === "'" || character === '"')) {
      quote = character
      word ??= ''
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = `${word ?? ''}${character}`
  }
  if (quote !== undefined) throw new JpError('usage', `A ${quote} is not closed in: ${text}`)
  if (word !== undefined) words.push(word)
  const [first, ...rest] = words
  if (first === undefined) throw new JpError('usage', 'The command is empty.')
  return [first, ...rest]
}
