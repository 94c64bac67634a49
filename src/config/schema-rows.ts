import * as z from 'zod'
import {expectedAt} from './expected.js'
import {schema} from './schema.js'
import {asData} from './stored.js'
import {bare, type Field, nodeOf, tableField} from './tree.js'
import {type ConfigValue, valueAt} from './value.js'

/** One key of configuration, for people: the reference page, `jp config show --defaults`, completion. */
export type SchemaRow = {
  /** `conversation.tools.<name>.run` */
  readonly path: string
  /** What it takes, in words. */
  readonly type: string
  /** Absent when it has none. */
  readonly byDefault: ConfigValue | undefined
  readonly about: string
}

/** Every key that holds a value, in the order of the schema. */
export const schemaRows = (): SchemaRow[] => {
  const defaults = asData(schema.parse({}))
  return rowsOf(schema, {path: [], above: []}, (path) => valueAt(defaults, path))
}

type DefaultOf = (path: readonly string[]) => ConfigValue | undefined

/** Where the walk is; a field that holds itself (a parameter with parameters) is described once. */
type At = {readonly path: readonly string[]; readonly above: readonly Field[]}

const rowsOf = (field: Field, at: At, defaultOf: DefaultOf): SchemaRow[] => {
  const own = at.path.length === 0 ? [] : [rowOf(field, at.path, defaultOf)]
  const table = tableField(field)
  if (table === undefined || nodeOf(field).kind === 'choice' || at.above.includes(bare(table))) return own
  const node = nodeOf(table)
  const below = (key: string, child: Field): SchemaRow[] =>
    rowsOf(child, {path: [...at.path, key], above: [...at.above, bare(table)]}, defaultOf)
  if (node.kind === 'map') {
    return tableField(node.value) === undefined || nodeOf(node.value).kind === 'choice'
      ? own
      : [...own, ...below('<name>', node.value)]
  }
  if (node.kind !== 'table') return own
  const others = node.other === undefined || nodeOf(node.other).kind === 'free' ? [] : below('<name>', node.other)
  return [...[...node.keys].flatMap(([key, child]) => below(key, child)), ...others]
}

const rowOf = (field: Field, path: readonly string[], defaultOf: DefaultOf): SchemaRow => ({
  path: path.join('.'),
  type: expectedAt(field),
  byDefault: defaultOf(path),
  about: aboutOf(field),
})

/** The description of a field, whichever of its wrappers carries it. */
export const aboutOf = (field: Field): string =>
  z.globalRegistry.get(field)?.description ?? z.globalRegistry.get(bare(field))?.description ?? ''
