import * as z from 'zod'
import {zodRulesOf} from './schema/rules.js'
import {bareZod, type ZodField, zodAboutOf, zodNodeOf} from './schema/zod-node.js'
import {configurationSchema} from './schema.js'

/** The JSON Schema of a configuration file, for editors (W14): every key optional, short spellings allowed. */
export const configJsonSchema = (): Record<string, unknown> => {
  const form = layerForm(configurationSchema)
  const json = z.toJSONSchema(form, {unrepresentable: 'any', io: 'input', reused: 'inline', cycles: 'ref'})
  return {...json, title: 'jp configuration'}
}

const forms = new WeakMap<ZodField, z.ZodType>()

/** What a file may hold in place of a field: nothing is required, lists may say how they merge. */
const layerForm = (field: ZodField): z.ZodType => {
  const inner = bareZod(field)
  const known = forms.get(inner)
  if (known !== undefined) return known
  // A parameter of a tool holds parameters: the form of a field that is being made is asked for later.
  forms.set(
    inner,
    z.lazy(() => forms.get(inner) ?? z.unknown()),
  )
  const form = withMerging(inner, formOf(inner))
  const {shorthand} = zodRulesOf(inner)
  const full = shorthand === undefined ? form : z.union([form, shorthand])
  const about = zodAboutOf(field)
  const described = about === '' ? full : full.describe(about)
  forms.set(inner, described)
  return described
}

const formOf = (field: ZodField): z.ZodType => {
  const node = zodNodeOf(field)
  if (node.kind === 'table') {
    const shape = Object.fromEntries([...node.keys].map(([key, child]) => [key, layerForm(child).optional()]))
    return node.other === undefined ? z.strictObject(shape) : z.object(shape).catchall(layerForm(node.other))
  }
  if (node.kind === 'map') return z.record(z.string(), layerForm(node.value))
  if (node.kind === 'choice') {
    const [first = z.unknown(), ...rest] = node.options.map(layerForm)
    return z.union([first, ...rest])
  }
  return field instanceof z.ZodType ? field : z.unknown()
}

const withMerging = (field: ZodField, form: z.ZodType): z.ZodType => {
  const {merge, deep} = zodRulesOf(field)
  if (merge === undefined && deep !== true) return form
  const strategies = deep === true ? ['merge', 'replace', 'keep'] : ['append', 'prepend', 'replace']
  const merging = z.strictObject({
    value: form,
    strategy: z.enum(strategies).optional().describe('How it lies over the more general layers.'),
    ...(merge === 'append' ? {dedup: z.boolean().optional().describe('Keep equal items once.')} : {}),
    ...(merge === 'text'
      ? {separator: z.string().optional().describe('none, space, line, paragraph, or a text.')}
      : {}),
    discard_when_merged: z.boolean().optional().describe('It goes when another layer gives a value.'),
  })
  return z.union([form, merging])
}
