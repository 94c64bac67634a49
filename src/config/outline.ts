import type {Rules} from './schema/rules.js'
import type {ConfigValue} from './value.js'

/** What a value without parts must be. */
export type Leaf =
  | {readonly type: 'boolean'}
  | {readonly type: 'word'; readonly words: readonly string[]}
  | {readonly type: 'number'; readonly whole?: true; readonly min?: number; readonly max?: number}
  | {readonly type: 'text'; readonly minLength?: number; readonly pattern?: string}

/** Where a node stands, as data: `node` is its index. */
export type FieldData = {
  readonly node: number
  readonly about?: string
  readonly optional?: true
  readonly byDefault?: ConfigValue
}

type Shape<Child> =
  | {readonly kind: 'table'; readonly keys: Readonly<Record<string, Child>>; readonly other?: Child}
  | {readonly kind: 'map'; readonly key: Child; readonly value: Child}
  | {readonly kind: 'list'; readonly item: Child}
  | {readonly kind: 'choice'; readonly options: readonly Child[]}
  | {readonly kind: 'free'}
  | {readonly kind: 'leaf'; readonly leaf: Leaf}

/** A node of the schema as data. */
export type NodeData = {readonly shape: Shape<FieldData>; readonly rules?: Rules; readonly shorthand?: FieldData}

/** The whole schema as plain data: what the build writes (`schema/outline-of.ts`). */
export type Outline = {readonly root: FieldData; readonly nodes: readonly NodeData[]}

/** One place of the schema, with what wraps it (defaults, optional) taken off. */
export type Node =
  | {readonly kind: 'table'; readonly keys: ReadonlyMap<string, Field>; readonly other: Field | undefined}
  | {readonly kind: 'map'; readonly key: Field; readonly value: Field}
  | {readonly kind: 'list'; readonly item: Field}
  | {readonly kind: 'choice'; readonly options: readonly Field[]}
  | {readonly kind: 'free'}
  | {readonly kind: 'leaf'; readonly leaf: Leaf}

/** A field of the schema. */
export type Field = {
  /** What stands there; the same object for fields that hold the same thing, such as a parameter in a parameter. */
  readonly node: Node
  readonly rules: Rules
  /** Short or old spellings that a layer may use, next to the type itself. */
  readonly shorthand: Field | undefined
  readonly about: string
  /** What counts when no layer says anything; undefined for nothing. */
  readonly byDefault: ConfigValue | undefined
  /** It may be absent without a default. */
  readonly optional: boolean
}

const noRules: Rules = {}

/** Turns an outline into fields. Each is made when it is first asked for: a run looks at few of them. */
export const readOutline = ({root, nodes}: Outline): Field => {
  const made = new Map<number, Node>()
  const nodeAt = (index: number): Node => {
    const found = made.get(index)
    if (found !== undefined) return found
    const node = readShape(nodes[index]?.shape ?? {kind: 'free'}, field)
    made.set(index, node)
    return node
  }
  const field = (data: FieldData): Field => {
    const {rules = noRules, shorthand} = nodes[data.node] ?? {}
    return {
      get node() {
        return nodeAt(data.node)
      },
      rules,
      get shorthand() {
        return shorthand === undefined ? undefined : field(shorthand)
      },
      about: data.about ?? '',
      byDefault: data.byDefault,
      optional: data.optional === true,
    }
  }
  return field(root)
}

const readShape = (data: Shape<FieldData>, field: (data: FieldData) => Field): Node => {
  switch (data.kind) {
    case 'table':
      return {
        kind: 'table',
        keys: new Map(Object.entries(data.keys).map(([key, child]) => [key, field(child)])),
        other: data.other === undefined ? undefined : field(data.other),
      }
    case 'map':
      return {kind: 'map', key: field(data.key), value: field(data.value)}
    case 'list':
      return {kind: 'list', item: field(data.item)}
    case 'choice':
      return {kind: 'choice', options: data.options.map(field)}
    case 'free':
    case 'leaf':
      return data
  }
}
