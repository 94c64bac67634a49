import type {JSONSchema7Type} from 'json-schema'
import type {Configuration} from '../../config/schema.js'
import type {JsonSchema} from '../json-schema.js'

/** One entry of `conversation.tools`, with the defaults of `*` merged under it. */
export type ToolSettings = NonNullable<Configuration['conversation']['tools'][string]>

type Tools = Configuration['conversation']['tools']

/** The settings of a tool: its own over those of `*`; paths of both count. */
export const settingsOf = (tools: Tools, name: string): ToolSettings => {
  const defaults = tools['*'] ?? {}
  const own = tools[name] ?? {}
  const style =
    defaults.style === undefined && own.style === undefined ? {} : {style: {...defaults.style, ...own.style}}
  const paths = [...(defaults.access?.fs ?? []), ...(own.access?.fs ?? [])]
  return {...defaults, ...own, ...style, ...(paths.length === 0 ? {} : {access: {fs: paths}})}
}

/** What `setTimeout` can wait. Unit: milliseconds. */
const longestTimerMs = 2 ** 31 - 1

/** How long a call may run (`timeout_secs`); 0 is no limit. Unit: milliseconds. */
export const timeLimitMs = ({timeout_secs: seconds = 600}: ToolSettings): number =>
  Math.min(seconds * 1000, longestTimerMs)

/** Where a tool comes from (facts 7.6). `tool` is its name there. */
export type ToolSource =
  | {readonly kind: 'builtin' | 'local'; readonly tool: string}
  | {readonly kind: 'mcp'; readonly server: string; readonly tool: string}
  | {readonly kind: 'unknown'; readonly text: string}

/** Reads a `source`: `builtin`, `local`, `mcp.<server>`, each with the tool's name there when it differs. */
export const sourceOf = (name: string, source: string): ToolSource => {
  const [kind, first, ...rest] = source.split('.')
  if (kind === 'builtin' || kind === 'local')
    return {kind, tool: [first, ...rest].filter((part) => part !== undefined).join('.') || name}
  if (kind === 'mcp' && first !== undefined && first !== '') {
    return {kind, server: first, tool: rest.join('.') || name}
  }
  return {kind: 'unknown', text: source}
}

/** What the model is told that a tool does. */
export const descriptionOf = ({summary, description, examples}: ToolSettings): string =>
  [summary, description, examples === undefined ? undefined : `Examples:\n${examples}`]
    .filter((part) => part !== undefined && part.trim() !== '')
    .map((part) => (part ?? '').trim())
    .join('\n\n')

type Parameter = NonNullable<ToolSettings['parameters']>[string]

/** The parameters of a tool as a JSON schema. */
export const parametersSchema = (parameters: ToolSettings['parameters']): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(parameters ?? {}).map(([name, parameter]) => [name, parameterSchema(parameter)]),
  ),
  required: requiredOf(parameters),
  additionalProperties: false,
})

const requiredOf = (parameters: ToolSettings['parameters']): string[] =>
  Object.entries(parameters ?? {})
    .filter(([, parameter]) => parameter.required === true)
    .map(([name]) => name)

/** What configuration holds came from TOML or JSON; a date alone is none. */
const isJson = (value: unknown): value is JSONSchema7Type => value !== undefined && !(value instanceof Date)

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

const parameterSchema = (parameter: Parameter): JsonSchema => {
  const description = descriptionOf(parameter)
  const {type, enum: values, items, properties} = parameter
  return {
    ...(type === undefined ? {} : {type: jsonTypes.filter((name) => [type].flat().includes(name))}),
    ...(description === '' ? {} : {description}),
    ...(isJson(parameter.default) ? {default: parameter.default} : {}),
    ...(values === undefined ? {} : {enum: values.filter(isJson)}),
    ...(items === undefined ? {} : {items: parameterSchema(items)}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, parameterSchema(property)]),
          ),
          required: requiredOf(properties),
        }),
  }
}
