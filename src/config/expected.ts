import {z} from 'zod'
import {bare, type Field, nodeOf, rulesFor} from './tree.js'

/** What a field takes, in words: `one of ask, deny`, `a whole number`, `a list of text`. */
export const expectedAt = (field: Field): string => {
  const own = describeType(field)
  const {shorthand} = rulesFor(field)
  return shorthand === undefined ? own : either([own, describeType(shorthand)])
}

const describeType = (field: Field): string => {
  const inner = bare(field)
  const node = nodeOf(inner)
  if (node.kind === 'table' || node.kind === 'map') return 'a table'
  if (node.kind === 'list') return `a list of ${plural(describeType(node.item))}`
  if (node.kind === 'choice') return either(node.options.map(expectedAt))
  if (inner instanceof z.ZodEnum) return words(Object.values(inner.def.entries).map(String))
  if (inner instanceof z.ZodLiteral) return words(inner.def.values.map(String))
  if (inner instanceof z.ZodBoolean) return 'true or false'
  if (inner instanceof z.ZodNumber) return numberType(inner)
  if (inner instanceof z.ZodString) return inner.def.checks === undefined ? 'text' : textType(inner)
  return 'any value'
}

const words = (all: readonly string[]): string =>
  all.length === 1 ? `"${all[0]}"` : `one of ${all.map((word) => `"${word}"`).join(', ')}`

const numberType = (number: z.ZodNumber): string => {
  const kind = number.isInt ? 'a whole number' : 'a number'
  const {minValue, maxValue} = number
  const low = minValue === null || minValue <= Number.MIN_SAFE_INTEGER ? undefined : minValue
  const high = maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER ? undefined : maxValue
  if (low !== undefined && high !== undefined) return `${kind} from ${low} to ${high}`
  return low === undefined ? kind : `${kind} of at least ${low}`
}

const textType = (text: z.ZodString): string =>
  text.safeParse('3ms').success && !text.safeParse('?').success ? 'a time such as "200ms" or "1m 30s"' : 'text'

const plural = (type: string): string => (type === 'a table' ? 'tables' : type)

const either = (types: readonly string[]): string => {
  const each = [...new Set(types)]
  return each.length < 2 ? (each[0] ?? 'any value') : `${each.slice(0, -1).join(', ')} or ${each.at(-1)}`
}
