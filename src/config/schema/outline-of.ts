import * as z from 'zod'
import {JpError} from '../../errors/jp-error.js'
import type {FieldData, Leaf, NodeData, Outline} from '../outline.js'
import {type ZodRules, zodRulesOf} from './rules.js'
import {bareZod, type ZodField, zodAboutOf, zodNodeOf} from './zod-node.js'

/**
 * The schema as plain data (docs/decisions/0010): what the build writes, so that a run need not make a thousand zod
 * objects to read three lines of TOML.
 * @throws JpError `internal` for a construct of zod that the outline can't say; the build ends with it.
 */
export const outlineOf = (schema: ZodField): Outline => {
  const nodes: NodeData[] = []
  const known = new Map<ZodField, number>()
  const indexOf = (bare: ZodField): number => {
    const found = known.get(bare)
    if (found !== undefined) return found
    const index = nodes.push({shape: {kind: 'free'}}) - 1
    known.set(bare, index)
    nodes[index] = {shape: shapeOf(bare, field), ...rulesData(zodRulesOf(bare), field)}
    return index
  }
  const field = (of: ZodField): FieldData => {
    const about = zodAboutOf(of)
    return {node: indexOf(bareZod(of)), ...(about === '' ? {} : {about}), ...absence(of)}
  }
  const root = field(schema)
  return {root, nodes}
}

type ToField = (of: ZodField) => FieldData

/** What zod makes of a value that is not there. */
const absence = (field: ZodField): Pick<FieldData, 'optional' | 'byDefault'> => {
  const {success, data} = z.safeParse(field, undefined)
  if (!success) return {}
  return data === undefined ? {optional: true} : {byDefault: data as never}
}

const shapeOf = (bare: ZodField, field: ToField): NodeData['shape'] => {
  const node = zodNodeOf(bare)
  switch (node.kind) {
    case 'table': {
      const keys = [...node.keys].map(([key, child]): [string, FieldData] => [key, field(child)])
      const other = node.other === undefined ? {} : {other: field(node.other)}
      return {kind: 'table', keys: Object.fromEntries(keys), ...other}
    }
    case 'map':
      return {kind: 'map', key: field(node.key), value: field(node.value)}
    case 'list':
      return {kind: 'list', item: field(node.item)}
    case 'choice':
      return {kind: 'choice', options: node.options.map(field)}
    case 'free':
      return {kind: 'free'}
    case 'leaf':
      return {kind: 'leaf', leaf: leafOf(bare)}
  }
}

const rulesData = ({shorthand, ...rules}: ZodRules, field: ToField): Omit<NodeData, 'shape'> => ({
  ...(Object.keys(rules).length === 0 ? {} : {rules}),
  ...(shorthand === undefined ? {} : {shorthand: field(shorthand)}),
})

const leafOf = (bare: ZodField): Leaf => {
  if (bare instanceof z.ZodBoolean) return {type: 'boolean'}
  if (bare instanceof z.ZodEnum) return {type: 'word', words: Object.values(bare.def.entries).map(String)}
  if (bare instanceof z.ZodLiteral) return {type: 'word', words: [...bare.def.values].map(String)}
  if (bare instanceof z.ZodNumber) return numberLeaf(bare)
  if (bare instanceof z.ZodString) return textLeaf(bare)
  throw new JpError('internal', `The outline of the configuration has no word for zod's ${bare._zod.def.type}.`)
}

const numberLeaf = (field: z.ZodNumber): Leaf => {
  const {minValue: min, maxValue: max, isInt} = field
  return {
    type: 'number',
    ...(isInt ? {whole: true} : {}),
    ...(min === null || min <= Number.MIN_SAFE_INTEGER ? {} : {min}),
    ...(max === null || max >= Number.MAX_SAFE_INTEGER ? {} : {max}),
  }
}

const textLeaf = (field: z.ZodString): Leaf => {
  const patterns = (field.def.checks ?? []).flatMap((check) => {
    const {def} = check._zod
    return 'pattern' in def && def.pattern instanceof RegExp ? [def.pattern.source] : []
  })
  if (patterns.length > 1) throw new JpError('internal', 'The outline of the configuration takes one pattern a text.')
  return {
    type: 'text',
    ...(field.minLength === null ? {} : {minLength: field.minLength}),
    ...(patterns[0] === undefined ? {} : {pattern: patterns[0]}),
  }
}
