import {z} from 'zod'
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
  return rowsOf(schema, [], (path) => valueAt(defaults, path))
}

type DefaultOf = (path: readonly string[]) => ConfigValue | undefined

const rowsOf = (field: Field, path: readonly string[], defaultOf: DefaultOf): SchemaRow[] => {
  const table = tableField(field)
  const node = table === undefined ? undefined : nodeOf(table)
  const isChoice = nodeOf(field).kind === 'choice'
  const own = path.length === 0 ? [] : [rowOf(field, path, defaultOf)]
  if (node === undefined || node.kind === 'free' || isChoice) return own
  if (node.kind === 'map') {
    const deeper =
      tableField(node.value) === undefined ? [] : rowsOf(node.value, [...path, '<name>'], defaultOf).slice(1)
    return deeper.length === 0 || path.includes('parameters') ? own : [...own, ...deeper]
  }
  if (node.kind !== 'table') return own
  const below = [...node.keys].flatMap(([key, child]) => rowsOf(child, [...path, key], defaultOf))
  const others =
    node.other === undefined || nodeOf(node.other).kind === 'free'
      ? []
      : rowsOf(node.other, [...path, '<name>'], defaultOf)
  return [...below, ...others]
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
