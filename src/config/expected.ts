import * as z from 'zod'
import {bare, type Field, nodeOf, rulesFor} from './tree.js'

/** What a field takes, in words: `one of "ask", "deny"`, `a whole number`, `a list of text`. */
export const expectedAt = (field: Field): string => {
  const {words, types} = alternatives(field)
  const quoted = words.map((word) => `"${word}"`)
  const oneOf = quoted.length < 2 ? quoted : [`one of ${quoted.join(', ')}`]
  const each = [...new Set([...oneOf, ...types])]
  return each.length < 2 ? (each[0] ?? 'any value') : `${each.slice(0, -1).join(', ')} or ${each.at(-1)}`
}

/** The words that a field takes by themselves, and the types that it takes besides. */
type Alternatives = {readonly words: readonly string[]; readonly types: readonly string[]}

const alternatives = (field: Field): Alternatives => {
  const own = ownAlternatives(field)
  const {shorthand} = rulesFor(field)
  return shorthand === undefined ? own : joined([own, alternatives(shorthand)])
}

const joined = (all: readonly Alternatives[]): Alternatives => ({
  words: [...new Set(all.flatMap(({words}) => words))],
  types: all.flatMap(({types}) => types),
})

const ownAlternatives = (field: Field): Alternatives => {
  const inner = bare(field)
  const node = nodeOf(inner)
  if (node.kind === 'choice') return joined(node.options.map(alternatives))
  if (inner instanceof z.ZodEnum) return {words: Object.values(inner.def.entries).map(String), types: []}
  if (inner instanceof z.ZodLiteral) return {words: inner.def.values.map(String), types: []}
  return {words: [], types: [typeOf(inner)]}
}

const typeOf = (field: Field): string => {
  const node = nodeOf(field)
  if (node.kind === 'table' || node.kind === 'map') return 'a table'
  if (node.kind === 'list') return `a list of ${itemType(node.item)}`
  if (field instanceof z.ZodBoolean) return 'true or false'
  if (field instanceof z.ZodNumber) return numberType(field)
  if (field instanceof z.ZodString) return textType(field)
  return 'any value'
}

const itemType = (item: Field): string => {
  const type = expectedAt(item)
  return type === 'a table' ? 'tables' : type.includes(' or ') ? `items, each ${type}` : type
}

const numberType = (number: z.ZodNumber): string => {
  const kind = number.isInt ? 'a whole number' : 'a number'
  const {minValue, maxValue} = number
  const low = minValue === null || minValue <= Number.MIN_SAFE_INTEGER ? undefined : minValue
  const high = maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER ? undefined : maxValue
  if (low !== undefined && high !== undefined) return `${kind} from ${low} to ${high}`
  return low === undefined ? kind : `${kind} of at least ${low}`
}

/** The only text with a form of its own is a span of time. */
const textType = (text: z.ZodString): string =>
  text.safeParse('3ms').success && !text.safeParse('?').success ? 'a time such as "200ms" or "1m 30s"' : 'text'
