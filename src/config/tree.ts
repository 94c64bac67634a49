import type {Field} from './outline.js'
import {type ConfigObject, type ConfigValue, isTable} from './value.js'

/** The field for a table in this place: itself, or the table among the choices. */
export const tableField = (field: Field): Field | undefined => {
  const {node} = field
  if (node.kind === 'table' || node.kind === 'map' || node.kind === 'free') return field
  if (node.kind !== 'choice') return undefined
  return node.options.map((option) => tableField(option)).find((found) => found !== undefined)
}

/** The field below `key`, or undefined when the schema knows no such key there. */
export const childField = (field: Field, key: string): Field | undefined => {
  const table = tableField(field)
  if (table === undefined) return undefined
  const {node} = table
  if (node.kind === 'table') return node.keys.get(key) ?? node.other
  if (node.kind === 'map') return node.value
  return node.kind === 'free' ? table : undefined
}

/** The field at a path, or undefined. */
export const fieldAt = (field: Field, path: readonly string[]): Field | undefined =>
  path.reduce<Field | undefined>((at, key) => (at === undefined ? undefined : childField(at, key)), field)

/** The keys that the schema names below a field. */
export const knownKeys = (field: Field): string[] => {
  const table = tableField(field)
  const node = table?.node
  return node?.kind === 'table' ? [...node.keys.keys()] : []
}

/** The strategies of a list or a text that says how it merges. */
export type Merging = {
  readonly value: ConfigValue
  readonly strategy: string
  readonly dedup: boolean
  readonly separator: string
  readonly discard: boolean
}

const mergingKeys = new Set(['value', 'strategy', 'dedup', 'separator', 'discard_when_merged'])

/** `{value, strategy, …}` in place of a list, a text or a free table; undefined when `value` is the thing itself. */
export const mergingOf = (field: Field, value: ConfigValue): Merging | undefined => {
  if (!isTable(value) || !Object.hasOwn(value, 'value') || !maySayHow(field)) return undefined
  if (!Object.keys(value).every((key) => mergingKeys.has(key))) return undefined
  if (field.node.kind === 'map' && !Object.hasOwn(value, 'strategy')) return undefined
  return {
    value: value['value'] ?? null,
    strategy: textOr(value, 'strategy', field.node.kind === 'map' ? 'merge' : 'append'),
    dedup: value['dedup'] === true,
    separator: textOr(value, 'separator', 'none'),
    discard: value['discard_when_merged'] === true,
  }
}

const textOr = (table: ConfigObject, key: string, fallback: string): string => {
  const value = table[key]
  return typeof value === 'string' ? value : fallback
}

const maySayHow = (field: Field): boolean => {
  const {merge, deep} = field.rules
  return merge !== undefined || deep === true || field.node.kind === 'list'
}
