import {evaluate, shown, type TemplateValues, templateParts} from './template.js'

/** A command line for a shell, with the values that it names in the environment. */
export type ShellCommand = {readonly line: string; readonly env: Readonly<Record<string, string>>}

/**
 * Fills in a command line that a shell will read. Values never become text of the shell: each goes into a variable, and
 * the line only names it, quoted as the place needs. So nothing that a model writes can be run as a command.
 */
export const renderForShell = (template: string, values: TemplateValues): ShellCommand => {
  const env: Record<string, string> = {}
  let line = ''
  let quote: '' | "'" | '"' = ''
  for (const part of templateParts(template)) {
    if ('text' in part) {
      line += part.text
      quote = quoteAfter(part.text, quote)
      continue
    }
    const name = `JP_VALUE_${Object.keys(env).length + 1}`
    env[name] = shown(evaluate(part.expression, values))
    line += quote === '"' ? `\${${name}}` : `${quote}"\${${name}}"${quote}`
  }
  return {line, env}
}

/** Which quote is open behind a piece of shell text. */
const quoteAfter = (text: string, before: '' | "'" | '"'): '' | "'" | '"' => {
  let quote = before
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\' && quote !== "'") at += 1
    else if (character === quote) quote = ''
    else if (quote === '' && (character === "'" || character === '"')) quote = character
  }
  return quote
}
