import {nearest} from '../platform/nearest.js'
import {accept} from './accept.js'
import {expansions} from './expansions.js'
import {expectedAt} from './expected.js'
import type {Field} from './outline.js'
import {childField, knownKeys, mergingOf, tableField} from './tree.js'
import {type ConfigObject, type ConfigValue, isForbiddenKey, isTable, type KeyPath} from './value.js'

/** What is wrong with one value of a layer. */
export type Finding =
  | {readonly kind: 'unknown'; readonly path: KeyPath; readonly near: KeyPath | undefined}
  | {readonly kind: 'forbidden'; readonly path: KeyPath}
  | {readonly kind: 'invalid'; readonly path: KeyPath; readonly expected: string; readonly found: ConfigValue}

/** A layer as the schema spells it, with everything that was wrong in it left out. */
export type Normalised = {readonly value: ConfigObject; readonly findings: readonly Finding[]}

type Walk = {readonly findings: Finding[]}

/**
 * Reads one layer against the schema: short and old spellings become the canonical ones, unknown keys and values of
 * the wrong type are reported and left out. Pure; every finding names its path (W16).
 */
export const normalise = (field: Field, layer: ConfigObject): Normalised => {
  const walk: Walk = {findings: []}
  const value = normaliseTable(field, layer, [], walk)
  return {value, findings: walk.findings}
}

/** As {@link normalise}, for the value of one field. */
export const normaliseAt = (
  field: Field,
  value: ConfigValue,
  path: KeyPath,
): {readonly value: ConfigValue | undefined; readonly findings: readonly Finding[]} => {
  const walk: Walk = {findings: []}
  return {value: normaliseValue(field, value, path, walk), findings: walk.findings}
}

const normaliseTable = (field: Field, table: ConfigObject, path: KeyPath, walk: Walk): ConfigObject => {
  const result: ConfigObject = {}
  for (const [key, value] of Object.entries(table)) {
    const at = [...path, key]
    if (isForbiddenKey(key)) {
      walk.findings.push({kind: 'forbidden', path: at})
      continue
    }
    const child = acceptedChild(field, key)
    if (child === undefined) {
      walk.findings.push({kind: 'unknown', path: at, near: nearestPath(field, path, key)})
      continue
    }
    const normal = normaliseValue(child, value, at, walk)
    if (normal !== undefined) result[key] = normal
  }
  return result
}

/** The field below a key; none when a map refuses the key. */
const acceptedChild = (field: Field, key: string): Field | undefined => {
  const table = tableField(field)
  const node = table?.node
  if (node?.kind === 'map' && !accept(node.key, key).ok) return undefined
  return childField(field, key)
}

const nearestPath = (field: Field, path: KeyPath, key: string): KeyPath | undefined => {
  const near = nearest(key, knownKeys(field))
  return near === undefined ? undefined : [...path, near]
}

/** The canonical value, or undefined when it was reported. `null` stays: it unsets. */
const normaliseValue = (field: Field, given: ConfigValue, path: KeyPath, walk: Walk): ConfigValue | undefined => {
  if (field.node.kind === 'free') return freeValue(given, path, walk)
  if (given === null) return null
  const merging = mergingOf(field, given)
  if (merging !== undefined && isTable(given)) {
    const inner = normaliseValue(field, merging.value, path, walk)
    return inner === undefined || !knownStrategy(given, field, path, walk) ? undefined : {...given, value: inner}
  }
  const value = expanded(field, given)
  const table = isTable(value) ? tableField(field) : undefined
  if (table !== undefined && isTable(value)) return normaliseTable(table, value, path, walk)
  const {node} = field
  if (node.kind === 'list' && Array.isArray(value)) return normaliseItems(node.item, value, path, walk)
  return checked(field, value, path, walk)
}

/** The canonical spelling of a value. */
const expanded = (field: Field, given: ConfigValue): ConfigValue => {
  const {expand} = field.rules
  return expand === undefined ? given : expansions[expand](given)
}

const checked = (field: Field, value: ConfigValue, path: KeyPath, walk: Walk): ConfigValue | undefined => {
  if (accept(field, value).ok) return value
  walk.findings.push({kind: 'invalid', path, expected: expectedAt(field), found: value})
  return undefined
}

const strategies = {
  list: ['append', 'prepend', 'replace'],
  text: ['append', 'prepend', 'replace'],
  map: ['merge', 'deep_merge', 'replace', 'keep'],
}

const knownStrategy = (given: ConfigObject, field: Field, path: KeyPath, walk: Walk): boolean => {
  const kind = field.node.kind
  const known = kind === 'list' ? strategies.list : kind === 'map' ? strategies.map : strategies.text
  const strategy = given['strategy']
  if (strategy === undefined || (typeof strategy === 'string' && known.includes(strategy))) return true
  const expected = `one of ${known.join(', ')}`
  walk.findings.push({kind: 'invalid', path: [...path, 'strategy'], expected, found: strategy})
  return false
}

/** Items are whole: each must be complete by itself. */
const normaliseItems = (item: Field, values: readonly ConfigValue[], path: KeyPath, walk: Walk): ConfigValue[] =>
  values.flatMap((value, index) => {
    const at = [...path, String(index)]
    const normal = normaliseValue(item, value, at, walk)
    if (normal === undefined || normal === null) {
      if (value === null) walk.findings.push({kind: 'invalid', path: at, expected: expectedAt(item), found: value})
      return []
    }
    const whole = checked(item, withoutNulls(normal), at, walk)
    return whole === undefined ? [] : [whole]
  })

const withoutNulls = (value: ConfigValue): ConfigValue =>
  isTable(value) ? Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null)) : value

/** A value of the user's own shape: only keys that would reach a prototype are left out. */
const freeValue = (value: ConfigValue, path: KeyPath, walk: Walk): ConfigValue => {
  if (Array.isArray(value)) return value.map((item, index) => freeValue(item, [...path, String(index)], walk))
  if (!isTable(value)) return value
  const result: ConfigObject = {}
  for (const [key, inner] of Object.entries(value)) {
    if (isForbiddenKey(key)) walk.findings.push({kind: 'forbidden', path: [...path, key]})
    else result[key] = freeValue(inner, [...path, key], walk)
  }
  return result
}
