import {resolve} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {nearest} from '../platform/nearest.js'
import {expectedAt} from './expected.js'
import {isFile} from './files.js'
import {normaliseAt} from './normalise.js'
import type {Field} from './outline.js'
import {childField, knownKeys, tableField} from './tree.js'
import {
  type ConfigObject,
  type ConfigValue,
  forbiddenKey,
  isForbiddenKey,
  isTable,
  type KeyPath,
  nested,
  parseKeyPath,
  showPath,
} from './value.js'

/** One `--cfg` argument, taken apart (facts 7.3). */
export type CfgArgument =
  | {readonly kind: 'file'; readonly path: string}
  | {readonly kind: 'name'; readonly name: string}
  | {readonly kind: 'reset'; readonly to: 'NONE' | 'WORKSPACE'}
  | {readonly kind: 'object'; readonly value: ConfigObject}
  | ({readonly kind: 'assignment'} & Assignment)

/** A value for one key, as a person wrote it. */
export type Assignment = {
  readonly path: KeyPath
  readonly how: 'set' | 'add'
  /** Text is read by the type of the key; JSON as it is. */
  readonly value: {readonly text: string} | {readonly json: ConfigValue}
}

const assignment = /^((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^="'])+?)(:\+|\+|:)?=([\s\S]*)$/

/**
 * Takes a `--cfg` argument apart: `key=text`, `key:=json`, `key+=text`, `key:+=json`, `{json}`, `@file`, a name, `NONE`
 * or `WORKSPACE`.
 * @throws JpError `config_value_invalid` (JSON that is none), `config_key_unknown` (no key at all).
 */
export const parseCfg = (text: string): CfgArgument => {
  if (text.startsWith('@')) return {kind: 'file', path: text.slice(1)}
  if (text.trimStart().startsWith('{')) return {kind: 'object', value: parseTable(text)}
  if (text === 'NONE' || text === 'WORKSPACE') return {kind: 'reset', to: text}
  const match = assignment.exec(text)
  if (match === null) return {kind: 'name', name: text}
  const [, key = '', operator = '', value = ''] = match
  const path = parseKeyPath(key.trim())
  const how = operator.includes('+') ? 'add' : 'set'
  const read = operator.includes(':') ? {json: parseJson(value, text)} : {text: value}
  return {kind: 'assignment', path, how, value: read}
}

/**
 * The same argument for a process with another cwd: a file that it names from this one is named by its whole path.
 * @throws JpError as {@link parseCfg}.
 */
export const cfgForAnyCwd = (text: string, cwd: string): string => {
  const parsed = parseCfg(text)
  if (parsed.kind === 'file') return `@${resolve(cwd, parsed.path)}`
  const isHere = parsed.kind === 'name' && isFile(resolve(cwd, parsed.name))
  return isHere ? `@${resolve(cwd, parsed.name)}` : text
}

const parseTable = (text: string): ConfigObject => {
  const value = parseJson(text, text)
  if (isTable(value)) return value
  throw new JpError('config_value_invalid', `--cfg ${text} must be a JSON object.`)
}

/** JSON that a person wrote. @throws JpError `config_value_invalid`, `config_key_unknown` for a dangerous key. */
export const parseJson = (json: string, shown: string): ConfigValue => {
  let value: ConfigValue
  try {
    value = JSON.parse(json)
  } catch (cause) {
    throw new JpError('config_value_invalid', `${shown}: ${json === '' ? 'nothing' : json} is no JSON.`, {
      cause,
      hint: 'Behind := stands JSON: "text", 1, true, [..], {..}. Use = for plain text.',
    })
  }
  refuseForbidden(value, shown)
  return value
}

const refuseForbidden = (value: ConfigValue, shown: string): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (isForbiddenKey(key)) throw forbiddenKey('config_key_unknown', key, shown)
    refuseForbidden(inner, shown)
  }
}

/**
 * The layers that an assignment amounts to, to be merged in order.
 * @param shown how the person wrote it, for errors.
 * @throws JpError `config_key_unknown` with the nearest key, `config_value_invalid` with what the key takes.
 */
export const assignmentLayers = (schema: Field, given: Assignment, shown: string): readonly ConfigObject[] => {
  const field = fieldOf(schema, given.path, shown)
  const value = 'json' in given.value ? given.value.json : textValue(field, given.value.text, given.path, shown)
  const layer = (inner: ConfigValue): ConfigObject => asTable(nested(given.path, inner))
  if (value === null) return [layer(null)]
  if (given.how === 'add') return [layer(addition(field, value, {path: given.path, shown}))]
  const kind = field.node.kind
  if (kind === 'list' && Array.isArray(value)) return [layer({value, strategy: 'replace'})]
  const isTableField = tableField(field) !== undefined && isTable(value) && kind !== 'free'
  return isTableField ? [layer(null), layer(value)] : [layer(value)]
}

const asTable = (value: ConfigValue): ConfigObject => (isTable(value) ? value : {})

/** The field at a path, by which a text is read. */
const fieldOf = (schema: Field, path: KeyPath, shown: string): Field => {
  let field = schema
  for (const [index, key] of path.entries()) {
    const child = childField(field, key)
    if (child === undefined) throw unknownKey(field, path, {index, shown})
    field = child
  }
  return field
}

const unknownKey = (field: Field, path: KeyPath, at: {readonly index: number; readonly shown: string}): JpError => {
  const near = nearest(path[at.index] ?? '', knownKeys(field))
  const above = path.slice(0, at.index)
  const better = near === undefined ? undefined : [...above, near, ...path.slice(at.index + 1)]
  const where = above.length === 0 ? 'Run "jp config show --defaults" to see all keys.' : `Known: ${keysBelow(field)}.`
  return new JpError('config_key_unknown', `${at.shown}: there is no configuration key ${showPath(path)}.`, {
    hint: better === undefined ? where : `Did you mean ${showPath(better)}?`,
  })
}

const keysBelow = (field: Field): string => knownKeys(field).join(', ') || 'none'

const addition = (
  field: Field,
  value: ConfigValue,
  at: {readonly path: KeyPath; readonly shown: string},
): ConfigValue => {
  const {node} = field
  if (node.kind === 'list') return {value: Array.isArray(value) ? value : [value], strategy: 'append'}
  if (field.rules.merge === 'text') return {value, strategy: 'append'}
  if (isTable(value)) return value
  throw new JpError('config_value_invalid', `${at.shown}: nothing can be added to ${showPath(at.path)}.`, {
    hint: `It takes ${expectedAt(field)}. Use = to set it.`,
  })
}

/**
 * Text as the type of its key reads it.
 * @param shown how the person wrote it, for errors.
 * @throws JpError `config_value_invalid`.
 */
export const textValue = (field: Field, text: string, path: KeyPath, shown: string): ConfigValue => {
  const found = readText(field, text, path)
  if (found !== undefined) return found
  throw new JpError('config_value_invalid', `${shown}: ${showPath(path)} takes ${expectedAt(field)}.`, {
    hint: tableField(field) === undefined ? undefined : `Give JSON: ${showPath(path)}:={...}`,
  })
}

const readText = (field: Field, text: string, path: KeyPath): ConfigValue | undefined => {
  const {node} = field
  if (node.kind === 'free') return text
  if (node.kind === 'list') {
    if (text === '') return []
    const item = readText(node.item, text, path)
    return item === undefined ? undefined : [item]
  }
  return candidates(text).find((value) => normaliseAt(field, value, path).findings.length === 0)
}

const candidates = (text: string): ConfigValue[] => [
  ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
  ...(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? [Number(text)] : []),
  text,
]
