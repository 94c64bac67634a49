import {difference, mergeLayers, settled} from './merge.js'
import {normalise} from './normalise.js'
import type {Field} from './outline.js'
import type {Configuration} from './schema.js'
import {schema} from './schema-outline.js'
import {tableField} from './tree.js'
import {type ConfigObject, type ConfigValue, isTable, type KeyPath, without} from './value.js'

/** What never goes into a conversation: it is about this machine, and a projection of it may travel. */
const machineOnly: readonly KeyPath[] = [['serve'], ['web'], ['mcp']]

/**
 * The configuration of a stored conversation: its base with every `config_delta` merged over it in order (facts 2.4).
 * Keys that this version does not know are stripped; what is still invalid counts as empty. Never throws.
 */
export const storedConfiguration = (base: unknown, deltas: readonly unknown[]): ConfigObject =>
  settled(
    schema,
    [base, ...deltas].reduce<ConfigObject>(
      (below, layer) => mergeLayers(schema, {below, above: storedLayer(layer)}),
      {},
    ),
  )

/** One stored partial, as the schema spells it; empty when it is invalid. */
export const storedLayer = (layer: unknown): ConfigObject => {
  const plain = plainData(layer, 0)
  if (!isTable(plain)) return {}
  const {value, findings} = normalise(schema, plain)
  return findings.some((finding) => finding.kind === 'invalid') ? {} : value
}

/** Parsed JSON as data; keys that would reach a prototype and what is no data are dropped. */
const plainData = (value: unknown, depth: number): ConfigValue => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item) => plainData(item, depth + 1))
  if (typeof value !== 'object' || value === null || depth > 64) return null
  const table: ConfigObject = {}
  for (const [key, inner] of Object.entries(value)) {
    if (key !== '__proto__') table[key] = plainData(inner, depth + 1)
  }
  return table
}

/**
 * What `base_config.json` holds: every value of a resolved configuration, in the form that the existing jp reads. Lists
 * that layers add to say that they replace.
 */
export const storedForm = (config: ConfigObject): ConfigObject => tableOf(oldWords(replacing(travelling(config))))

/** The same configuration with its growing lists saying that they replace: a layer that stands for itself. */
export const replacing = (config: ConfigObject): ConfigObject => tableOf(replacingLists(schema, config, []))

const tableOf = (value: ConfigValue): ConfigObject => (isTable(value) ? value : {})

/** What may be written into a conversation. */
const travelling = (config: ConfigObject): ConfigObject =>
  machineOnly.reduce((rest, path) => without(rest, path), withoutOptions(config))

/** What a `config_delta` holds: the smallest partial that turns `before` into `after`; undefined when none is needed. */
export const storedDelta = (before: ConfigObject, after: ConfigObject): ConfigObject | undefined => {
  const unmerged = (config: ConfigObject): ConfigObject =>
    ['extends', 'inherit'].reduce((rest, key) => without(rest, [key]), travelling(config))
  const delta = difference(schema, unmerged(before), unmerged(after))
  return delta === undefined ? undefined : oldWords(delta)
}

/** A resolved configuration as plain data. */
export const asData = (config: Configuration): ConfigObject => {
  const data = plainData(config, 0)
  return isTable(data) ? withoutNulls(data) : {}
}

const withoutNulls = (table: ConfigObject): ConfigObject =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, isTable(value) ? withoutNulls(value) : value]),
  )

/** Options of plugins may hold anything, secrets too: they stay on this machine. */
const withoutOptions = (config: ConfigObject): ConfigObject => {
  const plugins = config['plugins']
  const commands = isTable(plugins) ? plugins['command'] : undefined
  if (!isTable(commands)) return config
  return Object.keys(commands).reduce((rest, name) => without(rest, ['plugins', 'command', name, 'options']), config)
}

const replacingLists = (field: Field, value: ConfigValue, path: KeyPath): ConfigValue => {
  const isGrowing = field.node.kind === 'list' && field.rules.merge === 'append'
  if (isGrowing && Array.isArray(value) && path.length > 1) {
    return {value, strategy: 'replace', discard_when_merged: false}
  }
  const table = isTable(value) ? tableField(field) : undefined
  const node = table?.node
  if (!isTable(value) || node === undefined || (node.kind !== 'table' && node.kind !== 'map')) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const child = node.kind === 'map' ? node.value : (node.keys.get(key) ?? node.other)
      return [key, child === undefined ? inner : replacingLists(child, inner, [...path, key])]
    }),
  )
}

/** The existing jp calls `deny` of a tool `skip`, and would read nothing of a configuration with the other word. */
const oldWords = (config: ConfigObject): ConfigObject => {
  const conversation = config['conversation']
  const tools = isTable(conversation) ? conversation['tools'] : undefined
  if (!isTable(conversation) || !isTable(tools)) return config
  const renamed = Object.entries(tools).map(([name, tool]): [string, ConfigValue] => {
    if (!isTable(tool)) return [name, tool]
    const copy = {...tool}
    for (const key of ['run', 'result']) if (copy[key] === 'deny') copy[key] = 'skip'
    return [name, copy]
  })
  return {...config, conversation: {...conversation, tools: Object.fromEntries(renamed)}}
}
