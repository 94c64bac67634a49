import {expectedAt} from './expected.js'
import type {Field, Node} from './outline.js'
import {schema} from './schema-outline.js'
import {tableField} from './tree.js'
import {type ConfigValue, isTable, valueAt} from './value.js'

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
  const defaults = schema.byDefault
  return rowsOf(schema, {path: [], above: []}, (path) => (isTable(defaults) ? valueAt(defaults, path) : undefined))
}

type DefaultOf = (path: readonly string[]) => ConfigValue | undefined

/** Where the walk is; a field that holds itself (a parameter with parameters) is described once. */
type At = {readonly path: readonly string[]; readonly above: readonly Node[]}

const rowsOf = (field: Field, at: At, defaultOf: DefaultOf): SchemaRow[] => {
  const own = at.path.length === 0 ? [] : [rowOf(field, at.path, defaultOf)]
  const table = tableField(field)
  if (table === undefined || field.node.kind === 'choice' || at.above.includes(table.node)) return own
  const {node} = table
  const below = (key: string, child: Field): SchemaRow[] =>
    rowsOf(child, {path: [...at.path, key], above: [...at.above, table.node]}, defaultOf)
  if (node.kind === 'map') {
    return tableField(node.value) === undefined || node.value.node.kind === 'choice'
      ? own
      : [...own, ...below('<name>', node.value)]
  }
  if (node.kind !== 'table') return own
  const others = node.other === undefined || node.other.node.kind === 'free' ? [] : below('<name>', node.other)
  return [...[...node.keys].flatMap(([key, child]) => below(key, child)), ...others]
}

const rowOf = (field: Field, path: readonly string[], defaultOf: DefaultOf): SchemaRow => ({
  path: path.join('.'),
  type: expectedAt(field),
  byDefault: defaultOf(path),
  about: field.about,
})
