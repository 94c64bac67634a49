import {JpError} from '../errors/jp-error.js'
import {nearest} from '../platform/nearest.js'
import {type Assignment, parseJson} from './assign.js'
import type {Field} from './outline.js'
import {childField, knownKeys, tableField} from './tree.js'
import {type ConfigObject, isTable, type KeyPath, valueAt} from './value.js'

const prefix = 'JP_CFG_'

/** A variable that sets a key. */
export type EnvironmentAssignment = Assignment & {readonly name: string}

/**
 * The assignments of the `JP_CFG_*` variables, by name. A value that starts with `:` is JSON, with `+` is added;
 * `\:` and `\+` stand for themselves. Names of the user's own (tools, plugins) are matched against those in `below`.
 * @throws JpError `config_key_unknown`, `config_value_invalid`.
 */
export const environmentAssignments = (
  schema: Field,
  env: Readonly<Record<string, string | undefined>>,
  below: ConfigObject,
): EnvironmentAssignment[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] !== undefined)
    .sort()
    .map((name) => ({name, path: pathOf(schema, name, below), ...readValue(env[name] ?? '', name)}))

const readValue = (value: string, name: string): Pick<Assignment, 'how' | 'value'> => {
  if (value.startsWith(':')) return {how: 'set', value: {json: parseJson(value.slice(1), name)}}
  if (value.startsWith('+:')) return {how: 'add', value: {json: parseJson(value.slice(2), name)}}
  if (value.startsWith('+')) return {how: 'add', value: {text: value.slice(1)}}
  return {how: 'set', value: {text: /^\\[:+]/.test(value) ? value.slice(1) : value}}
}

const pathOf = (schema: Field, name: string, below: ConfigObject): KeyPath => {
  const found = findPath(schema, name.slice(prefix.length), {path: [], below})
  if (found !== undefined) return found
  const near = nearest(name, namesBelow(schema, prefix.slice(0, -1)))
  throw new JpError('config_key_unknown', `${name} names no configuration key.`, {
    hint: near === undefined ? 'Unset it, or see "jp config show --defaults" for all keys.' : `Did you mean ${near}?`,
  })
}

type At = {readonly path: KeyPath; readonly below: ConfigObject}

const spelled = (key: string): string => key.toUpperCase().replace(/[^A-Z0-9]/g, '_')

/** The path that `rest` spells below a field: every way of cutting it at `_` is tried. */
const findPath = (field: Field, rest: string, at: At): KeyPath | undefined => {
  const table = tableField(field)
  if (table === undefined) return undefined
  const {node} = table
  const {names, own} = candidateKeys(table, rest, at)
  for (const key of [...names, ...own]) {
    const child = childField(table, key)
    if (child === undefined) continue
    const path = [...at.path, key]
    // A new tool is not set as a whole: the rest of the name is one of its keys.
    const isEntry = ['table', 'map'].includes(child.node.kind)
    if (spelled(key) === rest && (names.includes(key) || !isEntry)) return path
    const found = findPath(child, rest.slice(spelled(key).length + 1), {...at, path})
    if (found !== undefined) return found
  }
  return node.kind === 'free' && rest !== '' ? [...at.path, rest.toLowerCase()] : undefined
}

/** The keys that may stand at the start of `rest`. */
type Candidates = {
  /** Those of the schema, and those in use. */
  readonly names: readonly string[]
  /** New names of the user's own, longest first. */
  readonly own: readonly string[]
}

const candidateKeys = (table: Field, rest: string, at: At): Candidates => {
  const starts = (key: string): boolean => rest === spelled(key) || rest.startsWith(`${spelled(key)}_`)
  const {node} = table
  const used = valueAt(at.below, at.path)
  const names = [...knownKeys(table), ...(isTable(used) ? Object.keys(used) : [])].filter(starts)
  if (node.kind !== 'map' && (node.kind !== 'table' || node.other === undefined)) return {names, own: []}
  const words = rest.split('_')
  const hyphenated = at.path.join('.') === 'plugins.command'
  const own = words.map((_, index) =>
    words
      .slice(0, words.length - index)
      .join(hyphenated ? '-' : '_')
      .toLowerCase(),
  )
  return {names, own: own.filter((name) => name !== '')}
}

/** The variables of all keys that the schema names, for a near miss. */
const namesBelow = (field: Field, name: string): string[] =>
  knownKeys(field).flatMap((key) => {
    const child = childField(field, key)
    const own = `${name}_${spelled(key)}`
    return child === undefined ? [] : [own, ...namesBelow(child, own)]
  })
