import * as z from 'zod'
import {type FieldRules, rulesOf} from './schema/fields.js'
import {type ConfigObject, type ConfigValue, isTable} from './value.js'

/** One place of the schema, with what wraps it (defaults, optional) taken off. */
export type Node =
  | {readonly kind: 'table'; readonly keys: ReadonlyMap<string, Field>; readonly other: Field | undefined}
  | {readonly kind: 'map'; readonly key: z.core.$ZodType; readonly value: Field}
  | {readonly kind: 'list'; readonly item: Field}
  | {readonly kind: 'choice'; readonly options: readonly Field[]}
  | {readonly kind: 'free'}
  | {readonly kind: 'leaf'}

/** A field of the schema. */
export type Field = z.core.$ZodType

/** What is derived from a field of the schema, which never changes: asking zod what a field is takes its time. */
const remembered = <Value>(derive: (field: Field) => Value): ((field: Field) => Value) => {
  const known = new WeakMap<Field, {readonly value: Value}>()
  return (field) => {
    const found = known.get(field)
    if (found !== undefined) return found.value
    const value = derive(field)
    known.set(field, {value})
    return value
  }
}

/** Takes defaults and the like off a field. */
export const bare: (field: Field) => Field = remembered((field) =>
  field instanceof z.ZodDefault ||
  field instanceof z.ZodPrefault ||
  field instanceof z.ZodOptional ||
  field instanceof z.ZodNonOptional
    ? bare(field.def.innerType)
    : field,
)

/** What stands at a field. */
export const nodeOf = remembered((field) => readNode(bare(field)))

const readNode = (field: Field): Node => {
  if (field instanceof z.ZodObject) {
    const catchall = field.def.catchall
    return {
      kind: 'table',
      keys: new Map(Object.entries(field.shape)),
      other: catchall === undefined || catchall instanceof z.ZodNever ? undefined : catchall,
    }
  }
  if (field instanceof z.ZodRecord) return {kind: 'map', key: field.def.keyType, value: field.def.valueType}
  if (field instanceof z.ZodArray) return {kind: 'list', item: field.def.element}
  if (field instanceof z.ZodUnion) return {kind: 'choice', options: field.def.options}
  if (field instanceof z.ZodUnknown) return {kind: 'free'}
  return {kind: 'leaf'}
}

/** The rules of a field, whatever wraps it. */
export const rulesFor: (field: Field) => FieldRules = remembered((field) => rulesOf(bare(field)))

/** The field for a table in this place: itself, or the table among the choices. */
export const tableField: (field: Field) => Field | undefined = remembered((field) => {
  const node = nodeOf(field)
  if (node.kind === 'table' || node.kind === 'map' || node.kind === 'free') return field
  if (node.kind !== 'choice') return undefined
  return node.options.map((option) => tableField(option)).find((found) => found !== undefined)
})

/** The field below `key`, or undefined when the schema knows no such key there. */
export const childField = (field: Field, key: string): Field | undefined => {
  const table = tableField(field)
  if (table === undefined) return undefined
  const node = nodeOf(table)
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
  const node = table === undefined ? undefined : nodeOf(table)
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
  if (nodeOf(field).kind === 'map' && !Object.hasOwn(value, 'strategy')) return undefined
  return {
    value: value['value'] ?? null,
    strategy: textOr(value, 'strategy', nodeOf(field).kind === 'map' ? 'merge' : 'append'),
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
  const {merge, deep} = rulesFor(field)
  return merge !== undefined || deep === true || nodeOf(field).kind === 'list'
}
