import {JpError} from '../../errors/jp-error.js'

/**
 * A command line cut into words without a shell: white space parts words, quotes and backslashes keep it, `{{…}}` is
 * never cut. What a template puts in later can't make a new word.
 * @throws JpError `config_invalid` for a quote that is not closed.
 */
export const splitCommand = (line: string): string[] => {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  const take = (text: string): void => {
    word = (word ?? '') + text
  }
  while (at < line.length) {
    const character = line[at] ?? ''
    const template = line.startsWith('{{', at)
      ? /^\{\{(?:'[^']*'|"[^"]*"|(?!\}\})[^])*\}\}/.exec(line.slice(at))?.[0]
      : undefined
    if (template !== undefined) {
      take(template)
      at += template.length
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
      at += 1
    } else if (character === "'" || character === '"') {
      const {text, length} = quoted(line, at)
      take(text)
      at += length
    } else if (character === '\\' && at + 1 < line.length) {
      take(line[at + 1] ?? '')
      at += 2
    } else {
      take(character)
      at += 1
    }
  }
  if (word !== undefined) words.push(word)
  return words
}

const quoted = (line: string, start: number): {text: string; length: number} => {
  const quote = line[start]
  let text = ''
  for (let at = start + 1; at < line.length; at++) {
    const character = line[at] ?? ''
    if (character === quote) return {text, length: at - start + 1}
    if (quote === '"' && character === '\\' && /["\\$`]/.test(line[at + 1] ?? '')) {
      at += 1
      text += line[at] ?? ''
    } else text += character
  }
  throw new JpError('config_invalid', `A quote is not closed in the command: ${line}`)
}
