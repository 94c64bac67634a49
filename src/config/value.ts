import type {ErrorCode} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'

/** What a configuration file can hold once its syntax is read. `null` unsets what a more general layer set. */
export type ConfigValue = string | number | boolean | null | ConfigValue[] | ConfigObject

/** A table of a configuration file. */
export type ConfigObject = {[key: string]: ConfigValue}

/** The keys from the top to a value: `['assistant', 'name']`. */
export type KeyPath = readonly string[]

/** True for a table; false for a list, a scalar and null. */
export const isTable = (value: unknown): value is ConfigObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keys that would reach an object's prototype: never a key of configuration, anywhere (W16). */
export const isForbiddenKey = (key: string): boolean =>
  key === '__proto__' || key === 'constructor' || key === 'prototype'

/** The value below `path`, or undefined. Own keys only. */
export const valueAt = (value: ConfigValue | undefined, path: KeyPath): ConfigValue | undefined => {
  let found: ConfigValue | undefined = value
  for (const key of path) {
    if (!isTable(found) || !Object.hasOwn(found, key)) return undefined
    found = found[key]
  }
  return found
}

/** A table with one value at `path`. */
export const nested = (path: KeyPath, value: ConfigValue): ConfigValue =>
  path.reduceRight<ConfigValue>((inner, key) => ({[key]: inner}), value)

/** A copy of `value` without what is at `path`; tables that it empties go too. */
export const without = (value: ConfigObject, path: KeyPath): ConfigObject => {
  const [key, ...rest] = path
  if (key === undefined || !Object.hasOwn(value, key)) return value
  const copy = {...value}
  const inner = copy[key]
  if (rest.length > 0 && isTable(inner)) {
    const smaller = without(inner, rest)
    if (Object.keys(smaller).length > 0) return {...copy, [key]: smaller}
  } else if (rest.length > 0) return value
  delete copy[key]
  return copy
}

/** Deep equality of two values; the order of keys does not count, that of items does. */
export const sameValue = (left: ConfigValue | undefined, right: ConfigValue | undefined): boolean =>
  left === right || (left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right))

/** JSON with sorted keys: equal values give equal text. */
export const canonicalJson = (value: ConfigValue): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isTable(value)) return JSON.stringify(value)
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${entries.join(',')}}`
}

const bareKey = /^[A-Za-z0-9_-]+$/

/** A path as people write it: `conversation.tools."*".run`. */
export const showPath = (path: KeyPath): string =>
  path.map((key) => (bareKey.test(key) || key === '*' ? key : JSON.stringify(key))).join('.')

/**
 * Reads a dotted path. A part in single or double quotes may hold dots.
 * @throws JpError `config_key_unknown` for an empty part or a key that is never one.
 */
export const parseKeyPath = (text: string): string[] => {
  const parts: string[] = []
  const part = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^."'\s]+))\s*(\.|$)/y
  while (part.lastIndex < text.length || parts.length === 0) {
    const match = part.exec(text)
    if (match === null) {
      throw new JpError('config_key_unknown', `"${text}" is no configuration key.`, {
        hint: 'Keys are words joined by dots: assistant.model.id. Quote a part that holds a dot.',
      })
    }
    parts.push(match[1]?.replace(/\\(.)/g, '$1') ?? match[2] ?? match[3] ?? '')
    if (match[4] === '') break
    if (part.lastIndex === text.length) throw unfinished(text)
  }
  const forbidden = parts.find(isForbiddenKey)
  if (forbidden !== undefined) throw forbiddenKey('config_key_unknown', forbidden, `"${text}"`)
  return parts
}

const unfinished = (text: string): JpError =>
  new JpError('config_key_unknown', `"${text}" ends in a dot: a key is missing behind it.`)

/** The error for a key that would reach a prototype (FR-12). `where` names the text or the file and line. */
export const forbiddenKey = (code: ErrorCode, key: string, where: string): JpError =>
  new JpError(code, `${where} holds the key "${key}", which is never a configuration key.`, {
    hint: 'Remove it.',
  })
