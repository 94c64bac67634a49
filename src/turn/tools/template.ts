import {JpError} from '../../errors/jp-error.js'

/** Values that a template may name: `{{tool.arguments.path}}`. */
export type TemplateValues = Readonly<Record<string, unknown>>

/** A template, taken apart: text as it stands, and places to fill. */
export type TemplatePart = {readonly text: string} | {readonly expression: string}

/** Takes a template apart. A `{{` without its `}}` is text. */
export const templateParts = (template: string): TemplatePart[] => {
  const parts: TemplatePart[] = []
  let at = 0
  for (const match of template.matchAll(/\{\{((?:'[^']*'|"[^"]*"|(?!\}\})[^])*)\}\}/g)) {
    if (match.index > at) parts.push({text: template.slice(at, match.index)})
    parts.push({expression: (match[1] ?? '').trim()})
    at = match.index + match[0].length
  }
  if (at < template.length) parts.push({text: template.slice(at)})
  return parts
}

/**
 * Fills a template in (facts 9.5): a value by its path, then filters. A text is put in as it is, everything else as JSON;
 * what does not exist is empty.
 * @throws JpError `config_invalid` for an expression or a filter that does not exist.
 */
export const renderTemplate = (template: string, values: TemplateValues): string =>
  templateParts(template)
    .map((part) => ('text' in part ? part.text : shown(evaluate(part.expression, values))))
    .join('')

/** The value of an expression: `path | filter | filter(argument)`. */
export const evaluate = (expression: string, values: TemplateValues): unknown => {
  const [path = '', ...filters] = splitOutsideQuotes(expression, '|')
  return filters.reduce((value, filter) => applyFilter(value, filter.trim(), expression), lookUp(path.trim(), values))
}

/** A value as text. */
export const shown = (value: unknown): string => {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const lookUp = (path: string, values: TemplateValues): unknown => {
  const literal = /^(?:'([^']*)'|"([^"]*)")$/.exec(path)
  if (literal !== null) return literal[1] ?? literal[2]
  if (!/^[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+|\[\d+\]|\[(?:'[^']*'|"[^"]*")\])*$/u.test(path)) {
    throw invalid(path, 'is no path of a value')
  }
  const names = [...path.matchAll(/[\p{L}\p{N}_-]+|'[^']*'|"[^"]*"/gu)].map(([name]) =>
    name.replace(/^['"]|['"]$/g, ''),
  )
  let value: unknown = values
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as TemplateValues)[name]
  }
  return value
}

const filters: Readonly<Record<string, (value: unknown, argument: string) => unknown>> = {
  default: (value, argument) => value ?? argument,
  json: (value) => JSON.stringify(value ?? null),
  tojson: (value) => JSON.stringify(value ?? null),
  trim: (value) => shown(value).trim(),
  upper: (value) => shown(value).toUpperCase(),
  lower: (value) => shown(value).toLowerCase(),
  join: (value, argument) => (Array.isArray(value) ? value.map(shown).join(argument) : shown(value)),
  length: (value) => (Array.isArray(value) ? value.length : shown(value).length),
}

const applyFilter = (value: unknown, filter: string, expression: string): unknown => {
  const [, name = '', argument] = /^(\w+)(?:\(([^]*)\))?$/.exec(filter) ?? []
  const apply = Object.hasOwn(filters, name) ? filters[name] : undefined
  if (apply === undefined)
    throw invalid(expression, `has no filter "${filter}"; there are: ${Object.keys(filters).join(', ')}`)
  return apply(value, (argument ?? '').trim().replace(/^(['"])([^]*)\1$/, '$2'))
}

const splitOutsideQuotes = (text: string, separator: string): string[] => {
  const parts = ['']
  let quote = ''
  for (const character of text) {
    if (quote === '' && character === separator) parts.push('')
    else {
      if (quote === character) quote = ''
      else if (quote === '' && (character === "'" || character === '"')) quote = character
      parts.push((parts.pop() ?? '') + character)
    }
  }
  return parts
}

const invalid = (expression: string, what: string): JpError =>
  new JpError('config_invalid', `The template {{${expression}}} ${what}.`)
