import type {Field, Leaf} from './outline.js'
import {refinements} from './refinements.js'
import {type ConfigObject, type ConfigValue, isTable, type KeyPath} from './value.js'

/** A value with every default filled in, or where it is wrong. */
export type Accepted =
  | {readonly ok: true; readonly value: ConfigValue | undefined}
  | {
      readonly ok: false
      readonly path: KeyPath
      /** What is wrong there, when it is not the type. */
      readonly problem: string | undefined
    }

/**
 * Holds a value against the schema, defaults filled in: what zod's `safeParse` of the same field says
 * (`test/unit/config/accept.test.ts` compares them). Pure.
 */
export const accept = (field: Field, value: ConfigValue | undefined, path: KeyPath = []): Accepted => {
  if (value === undefined) return absent(field, path)
  const {node} = field
  switch (node.kind) {
    case 'free':
      return {ok: true, value}
    case 'leaf':
      return isLeaf(node.leaf, value) ? {ok: true, value} : wrong(path)
    case 'list':
      return Array.isArray(value) ? acceptItems(node.item, value, path) : wrong(path)
    case 'choice':
      return node.options.map((option) => accept(option, value, path)).find(({ok}) => ok) ?? wrong(path)
    case 'table':
    case 'map':
      return isTable(value) ? acceptTable(field, value, path) : wrong(path)
  }
}

const wrong = (path: KeyPath, problem?: string): Accepted => ({ok: false, path, problem})

const absent = ({byDefault, optional}: Field, path: KeyPath): Accepted => {
  if (byDefault !== undefined) return {ok: true, value: structuredClone(byDefault)}
  return optional ? {ok: true, value: undefined} : wrong(path)
}

const acceptItems = (item: Field, values: readonly ConfigValue[], path: KeyPath): Accepted => {
  const items: ConfigValue[] = []
  for (const [index, value] of values.entries()) {
    const accepted = accept(item, value, [...path, String(index)])
    if (!accepted.ok) return accepted
    items.push(accepted.value ?? null)
  }
  return {ok: true, value: items}
}

const acceptTable = (field: Field, table: ConfigObject, path: KeyPath): Accepted => {
  const result: ConfigObject = {}
  for (const [key, child] of entriesOf(field, table)) {
    const at = [...path, key]
    const accepted = child === undefined ? wrong(at) : accept(child, table[key], at)
    if (!accepted.ok) return accepted
    if (accepted.value !== undefined) result[key] = accepted.value
  }
  const refinement = field.rules.refine === undefined ? undefined : refinements[field.rules.refine]
  return refinement?.holds(result) === false ? wrong(path, refinement.error) : {ok: true, value: result}
}

/** The keys that a table is read by, with their fields: those of the schema first; undefined for one that is refused. */
const entriesOf = ({node}: Field, table: ConfigObject): [string, Field | undefined][] => {
  const given = Object.keys(table)
  if (node.kind === 'map') return given.map((key) => [key, accept(node.key, key).ok ? node.value : undefined])
  if (node.kind !== 'table') return []
  const others = given.filter((key) => !node.keys.has(key))
  return [...node.keys, ...others.map((key): [string, Field | undefined] => [key, node.other])]
}

const isLeaf = (leaf: Leaf, value: ConfigValue): boolean => {
  switch (leaf.type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'word':
      return typeof value === 'string' && leaf.words.includes(value)
    case 'number':
      return typeof value === 'number' && isNumber(leaf, value)
    case 'text':
      return typeof value === 'string' && isText(leaf, value)
  }
}

const isNumber = ({whole, min, max}: Leaf & {type: 'number'}, value: number): boolean =>
  (whole === true ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
  value >= (min ?? Number.NEGATIVE_INFINITY) &&
  value <= (max ?? Number.POSITIVE_INFINITY)

const isText = ({minLength, pattern}: Leaf & {type: 'text'}, value: string): boolean =>
  value.length >= (minLength ?? 0) && (pattern === undefined || new RegExp(pattern).test(value))
