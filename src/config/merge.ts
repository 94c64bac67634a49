import type {Field} from './outline.js'
import {childField, type Merging, mergingOf, tableField} from './tree.js'
import {type ConfigObject, type ConfigValue, canonicalJson, isTable, type KeyPath, sameValue} from './value.js'

/** Told of every value that a merge sets, appends to or unsets; for `config show --explain`. */
export type Witness = (path: KeyPath, change: 'set' | 'added' | 'unset') => void

const unwatched: Witness = () => undefined

/**
 * Merges a normalised layer over what the more general layers came to (facts 7.4). Pure: neither argument is changed.
 * Lists and texts that say how they merge are settled here, so the result holds plain ones only.
 */
export const mergeLayers = (
  field: Field,
  layers: {readonly below: ConfigObject; readonly above: ConfigObject},
  witness: Witness = unwatched,
): ConfigObject => mergeTables(field, layers, {path: [], witness})

type At = {readonly path: KeyPath; readonly witness: Witness}
type Tables = {readonly below: ConfigObject; readonly above: ConfigObject}

const mergeTables = (field: Field, {below, above}: Tables, at: At): ConfigObject => {
  const result: ConfigObject = {...below}
  for (const [key, value] of Object.entries(above)) {
    const path = [...at.path, key]
    const child = childField(field, key)
    if (child === undefined) continue
    const own = Object.hasOwn(below, key) ? below[key] : undefined
    const merged = mergeValues(child, {below: own, above: value}, {...at, path})
    if (merged === undefined) delete result[key]
    else result[key] = merged
  }
  return result
}

type Values = {readonly below: ConfigValue | undefined; readonly above: ConfigValue}

const mergeValues = (field: Field, {below, above}: Values, at: At): ConfigValue | undefined => {
  const {node} = field
  if (above === null && node.kind !== 'free') {
    at.witness(at.path, 'unset')
    return undefined
  }
  const merging = mergingOf(field, above)
  if (node.kind === 'list') return mergeLists(field, {below, above}, at)
  if (field.rules.merge === 'text') return mergeTexts(merging, {below, above}, at)
  if (merging !== undefined) return mergeMaps(field, merging, {below, at})
  const table = isTable(above) ? tableField(field) : undefined
  if (table !== undefined && isTable(above) && table.node.kind !== 'free') {
    if (Object.keys(above).length === 0) at.witness(at.path, 'set')
    if (table.rules.deep === true) return deepMerge(isTable(below) ? below : {}, above, at)
    return mergeTables(table, {below: isTable(below) ? below : {}, above}, at)
  }
  at.witness(at.path, 'set')
  return above
}

/** A free table merged key by key at every depth. */
const deepMerge = (below: ConfigObject, above: ConfigObject, at: At): ConfigObject => {
  const result: ConfigObject = {...below}
  for (const [key, value] of Object.entries(above)) {
    const path = [...at.path, key]
    const own = Object.hasOwn(below, key) ? below[key] : undefined
    if (isTable(value) && isTable(own)) result[key] = deepMerge(own, value, {...at, path})
    else {
      result[key] = value
      at.witness(path, 'set')
    }
  }
  return result
}

const mergeMaps = (
  field: Field,
  merging: Merging,
  {below, at}: {readonly below: ConfigValue | undefined; readonly at: At},
): ConfigValue => {
  const value = isTable(merging.value) ? merging.value : {}
  const lower = isTable(below) ? below : {}
  if (merging.strategy === 'keep' && Object.keys(lower).length > 0) return lower
  if (merging.strategy === 'replace' || Object.keys(lower).length === 0) {
    at.witness(at.path, 'set')
    return value
  }
  return merging.strategy === 'deep_merge' || field.rules.deep === true
    ? deepMerge(lower, value, at)
    : mergeTables(field, {below: lower, above: value}, at)
}

const mergeLists = (field: Field, {below, above}: Values, at: At): ConfigValue => {
  const {rules} = field
  const merging = mergingOf(field, above)
  const strategy = merging?.strategy ?? (rules.merge === 'append' ? 'append' : 'replace')
  const items = asList(merging?.value ?? above)
  const lower = strategy === 'replace' ? [] : asList(lastingBelow(field, below) ?? [])
  at.witness(at.path, lower.length === 0 ? 'set' : 'added')
  const joined = strategy === 'prepend' ? [...items, ...lower] : [...lower, ...items]
  const all = rules.dedup === true || merging?.dedup === true ? distinct(joined) : joined
  return merging?.discard === true ? passing(all) : all
}

/** A value that goes when another layer gives one is kept as such until all layers are merged. */
const passing = (value: ConfigValue): ConfigValue => ({value, strategy: 'replace', discard_when_merged: true})

/** What is left of a lower layer's value under another one. */
const lastingBelow = (field: Field, below: ConfigValue | undefined): ConfigValue | undefined => {
  const merging = below === undefined ? undefined : mergingOf(field, below)
  return merging?.discard === true ? undefined : below
}

/** The configuration once no layer is to come: what would have gone stays. */
export const settled = (field: Field, merged: ConfigObject): ConfigObject => {
  const result: ConfigObject = {}
  for (const [key, value] of Object.entries(merged)) {
    const child = childField(field, key)
    const merging = child === undefined ? undefined : mergingOf(child, value)
    if (merging?.discard === true) result[key] = merging.value
    else
      result[key] = child !== undefined && isTable(value) && child.node.kind !== 'free' ? settled(child, value) : value
  }
  return result
}

const asList = (value: ConfigValue): readonly ConfigValue[] => (Array.isArray(value) ? value : [value])

const distinct = (items: readonly ConfigValue[]): ConfigValue[] => {
  const seen = new Set<string>()
  return items.filter((item) => {
    const text = canonicalJson(item)
    const isNew = !seen.has(text)
    seen.add(text)
    return isNew
  })
}

const separators: Readonly<Record<string, string>> = {none: '', space: ' ', line: '\n', paragraph: '\n\n'}

const mergeTexts = (merging: Merging | undefined, {below, above}: Values, at: At): ConfigValue => {
  const text = merging?.value ?? above
  const lower = isTable(below) ? undefined : below
  const joins = merging !== undefined && merging.strategy !== 'replace' && typeof lower === 'string' && lower !== ''
  at.witness(at.path, joins ? 'added' : 'set')
  if (!joins || typeof lower !== 'string' || typeof text !== 'string')
    return merging?.discard === true ? passing(text) : text
  const between = Object.hasOwn(separators, merging.separator) ? separators[merging.separator] : merging.separator
  return merging.strategy === 'prepend' ? `${text}${between}${lower}` : `${lower}${between}${text}`
}

/**
 * The smallest partial that, merged over `before`, gives `after` (facts 12.32): what a `config_delta` holds. Undefined
 * when there is no difference.
 */
export const difference = (field: Field, before: ConfigObject, after: ConfigObject): ConfigObject | undefined => {
  const delta = tableDifference(field, before, after)
  return Object.keys(delta).length === 0 ? undefined : delta
}

const tableDifference = (field: Field, before: ConfigObject, after: ConfigObject): ConfigObject => {
  const delta: ConfigObject = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const child = childField(field, key)
    const [old, now] = [before[key], after[key]]
    if (child === undefined || sameValue(old, now)) continue
    if (now === undefined) delta[key] = null
    else delta[key] = valueDifference(child, old, now)
  }
  return delta
}

const valueDifference = (field: Field, before: ConfigValue | undefined, after: ConfigValue): ConfigValue => {
  const {node} = field
  if (node.kind === 'list' && field.rules.merge === 'append') return listDifference(field, before, after)
  const table = tableField(field)
  if (table !== undefined && table.node.kind !== 'free' && isTable(before) && isTable(after)) {
    if (table.rules.deep === true) return {value: after, strategy: 'replace'}
    return tableDifference(table, before, after)
  }
  return after
}

const listDifference = (field: Field, before: ConfigValue | undefined, after: ConfigValue): ConfigValue => {
  const old = Array.isArray(before) ? before : []
  const now = Array.isArray(after) ? after : []
  const added = now.slice(old.length)
  const appended = mergeValues(field, {below: old, above: added}, {path: [], witness: unwatched})
  if (old.length > 0 && sameValue(appended, now)) return added
  return {value: now, strategy: 'replace', discard_when_merged: false}
}
