import {JpError} from '../../errors/jp-error.js'
import {reasonOf} from '../../platform/file-errors.js'
import type {JsonSchema} from '../../turn/json-schema.js'

const types = {
  str: 'string',
  string: 'string',
  int: 'integer',
  integer: 'integer',
  float: 'number',
  number: 'number',
  bool: 'boolean',
  boolean: 'boolean',
} as const

/**
 * The schema that `--schema` gives: JSON Schema, or a list of fields, each a name, a type unless it is text, and after a
 * colon what it is: `name, age int, bio: what they did`.
 * @throws JpError `usage`.
 */
export const parseSchema = (text: string): JsonSchema => {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) return fieldsSchema(trimmed)
  let value: unknown
  try {
    value = JSON.parse(trimmed)
  } catch (error) {
    throw new JpError('usage', `The schema is not JSON: ${reasonOf(error)}`, {cause: error})
  }
  if (isSchema(value)) return value
  throw new JpError('usage', 'The schema is not a JSON object.')
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsSchema = (text: string): JsonSchema => {
  const fields = text
    .split(/[,\n]/)
    .map((field) => field.trim())
    .filter((field) => field !== '')
    .map(readField)
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  }
}

const readField = (field: string): [name: string, schema: JsonSchema] => {
  const [, name, type = 'str', description] = /^([A-Za-z_]\w*)(?:\s+(\w+))?\s*(?::\s*([^]+))?$/.exec(field) ?? []
  const known = Object.entries(types).find(([word]) => word === type)?.[1]
  if (name !== undefined && known !== undefined) {
    return [name, {type: known, ...(description === undefined ? {} : {description: description.trim()})}]
  }
  throw new JpError('usage', `The schema has a field that can't be read: "${field}".`, {
    hint: `A field is a name and a type (${[...new Set(Object.values(types))].join(', ')}): "name, age int".`,
  })
}
