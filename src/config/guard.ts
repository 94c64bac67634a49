import {sha256OfText} from '../platform/text-digest.js'
import {type Guard, guards} from './guard-table.js'
import {
  type ConfigObject,
  type ConfigValue,
  canonicalJson,
  isTable,
  type KeyPath,
  sameValue,
  valueAt,
  without,
} from './value.js'

/** A guarded setting that a checkout gives. */
export type GuardedSetting = {
  readonly path: KeyPath
  readonly value: ConfigValue
  readonly about: string
  /** What names it in a trust record: its path and value, hashed. */
  readonly digest: string
}

/** A layer of a checkout, taken apart. */
export type GuardedLayer = {
  /** What takes effect. */
  readonly kept: ConfigObject
  /** What was left out for want of trust. */
  readonly leftOut: readonly GuardedSetting[]
  /** What never counts from a checkout. */
  readonly never: readonly GuardedSetting[]
}

type Match = {readonly guard: Guard; readonly path: KeyPath; readonly value: ConfigValue}

/** The digest of a setting. The items of a list are alike wherever they stand in it. */
const digestOf = ({guard, path, value}: Match): string => {
  const named = guard.pattern.at(-1) === '#' ? path.slice(0, -1) : path
  return sha256OfText(canonicalJson([[...named], value]))
}

/**
 * Takes a normalised layer that travels with a checkout apart by the table of guards.
 * @param below what the layers under it came to.
 * @param isAccepted whether the user's trust covers a setting.
 */
export const guardLayer = (
  layer: ConfigObject,
  below: ConfigObject,
  isAccepted: (setting: GuardedSetting) => boolean,
): GuardedLayer => {
  const leftOut: GuardedSetting[] = []
  const never: GuardedSetting[] = []
  let kept = layer
  for (const path of unsetPaths(layer)) {
    if (!touchesGuard(path)) continue
    kept = without(kept, path)
    never.push({path, value: null, about: 'unsets what your own configuration may have set', digest: ''})
  }
  for (const guard of guards) {
    for (const match of matchesIn(kept, guard)) {
      if (!loosens(match, below)) continue
      const setting = {path: match.path, value: match.value, about: guard.about, digest: digestOf(match)}
      if (guard.never === true) never.push(setting)
      else if (isAccepted(setting)) continue
      else leftOut.push(setting)
      kept = withoutMatch(kept, match)
    }
  }
  return {kept: withoutHusks(kept, leftOut, below), leftOut, never}
}

/** Every setting of a layer that would be guarded over `below`: what `jp w trust` records. */
export const guardedSettings = (layer: ConfigObject, below: ConfigObject): readonly GuardedSetting[] =>
  guardLayer(layer, below, () => false).leftOut

const loosens = ({guard, path, value}: Match, below: ConfigObject): boolean => {
  const isItem = guard.pattern.at(-1) === '#'
  const before = valueAt(below, isItem ? path.slice(0, -1) : path)
  if (isItem && Array.isArray(before) && before.some((item) => sameValue(item, value))) return false
  return !sameValue(before, value) && guard.loosens({path, value, below})
}

/** The places of a layer that a guard watches. */
const matchesIn = (layer: ConfigObject, guard: Guard): Match[] => {
  const walk = (value: ConfigValue, at: number, path: KeyPath): Match[] => {
    const key = guard.pattern[at]
    if (key === undefined) return [{guard, path, value}]
    if (key === '#') return itemsOf(value).map((item, index) => ({guard, path: [...path, String(index)], value: item}))
    if (!isTable(value)) return []
    const keys = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : []
    return keys.flatMap((name) => walk(value[name] ?? null, at + 1, [...path, name]))
  }
  return walk(layer, 0, [])
    .map((match) => narrowed(match))
    .filter(({value}) => !isTable(value) || Object.keys(value).length > 0)
}

/** The pin of an MCP server has a row of its own. */
const narrowed = (match: Match): Match => {
  if (match.path.length !== 3 || match.path[1] !== 'mcp' || !isTable(match.value)) return match
  const {checksum: _, ...rest} = match.value
  return {...match, value: rest}
}

const itemsOf = (value: ConfigValue): readonly ConfigValue[] => {
  if (Array.isArray(value)) return value
  const inner = isTable(value) ? value['value'] : undefined
  return Array.isArray(inner) ? inner : []
}

const withoutMatch = (layer: ConfigObject, match: Match): ConfigObject => {
  if (match.guard.pattern.at(-1) === '#') return withoutItem(layer, match)
  if (!isTable(match.value) || match.path[1] !== 'mcp') return without(layer, match.path)
  return Object.keys(match.value).reduce((rest, key) => without(rest, [...match.path, key]), layer)
}

/** The same table with another value at a path that it has. */
const withValue = (layer: ConfigObject, path: KeyPath, value: ConfigValue): ConfigObject => {
  const [key = '', ...rest] = path
  const inner = layer[key]
  return {...layer, [key]: rest.length > 0 && isTable(inner) ? withValue(inner, rest, value) : value}
}

const withoutItem = (layer: ConfigObject, {path, value}: Match): ConfigObject => {
  const at = path.slice(0, -1)
  const list = valueAt(layer, at)
  const items = itemsOf(list ?? []).filter((item) => !sameValue(item, value))
  if (items.length === 0) return without(layer, at)
  return withValue(layer, at, isTable(list) ? {...list, value: items} : items)
}

/** What makes no sense alone goes with what was left out: a pin without its server, a label without its value. */
const withoutHusks = (layer: ConfigObject, leftOut: readonly GuardedSetting[], below: ConfigObject): ConfigObject => {
  let kept = layer
  for (const {path} of leftOut) {
    const entry = path.slice(0, 3)
    const isEntry = path[1] === 'mcp' || path[1] === 'labels'
    if (isEntry && valueAt(below, entry) === undefined) kept = without(kept, entry)
  }
  return kept
}

const unsetPaths = (value: ConfigValue, path: KeyPath = []): KeyPath[] => {
  if (value === null) return [path]
  return isTable(value) ? Object.entries(value).flatMap(([key, inner]) => unsetPaths(inner, [...path, key])) : []
}

const touchesGuard = (path: KeyPath): boolean =>
  guards.some(({pattern}) => {
    const length = Math.min(path.length, pattern.length)
    return path.slice(0, length).every((key, index) => ['*', '#', key].includes(pattern[index] ?? ''))
  })

/** The part of a configuration that lies at one of these patterns. */
export const pickPatterns = (value: ConfigObject, patterns: readonly KeyPath[]): ConfigObject => {
  const picked: ConfigObject = {}
  for (const [key, inner] of Object.entries(value)) {
    const deeper = patterns.filter(([first]) => first === '*' || first === key).map((pattern) => pattern.slice(1))
    if (deeper.some((pattern) => pattern.length === 0 || pattern[0] === '#')) picked[key] = inner
    else if (deeper.length > 0 && isTable(inner)) {
      const part = pickPatterns(inner, deeper)
      if (Object.keys(part).length > 0) picked[key] = part
    }
  }
  return picked
}
