import type {JsonSchema} from '../json-schema.js'

/** Arguments that fit, or what is wrong with them, for the model to read. */
export type CheckedArguments =
  | {readonly ok: true; readonly arguments: Readonly<Record<string, unknown>>}
  | {readonly ok: false; readonly problems: readonly string[]}

/**
 * Checks what a model wrote against the schema of a tool (facts 9.5): fills defaults in, turns JSON in a text into the
 * declared type, refuses unknown and missing arguments.
 */
export const checkArguments = (schema: JsonSchema, given: Readonly<Record<string, unknown>>): CheckedArguments => {
  const problems: string[] = []
  const checked = checkObject(schema, given, '', problems)
  return problems.length === 0 ? {ok: true, arguments: checked} : {ok: false, problems}
}

type Schema = JsonSchema | boolean

const checkObject = (
  schema: JsonSchema,
  given: Readonly<Record<string, unknown>>,
  path: string,
  problems: string[],
): Record<string, unknown> => {
  const properties = schema.properties ?? {}
  const checked: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties
    const at = path === '' ? name : `${path}.${name}`
    if (property === undefined ? schema.properties !== undefined && path === '' : property === false) {
      problems.push(`There is no argument "${at}".`)
    } else if (value === null && isOptional(schema, name) && !allowsNull(property)) {
      // Some models write null for what they leave out.
    } else checked[name] = checkValue(property ?? true, value, at, problems)
  }
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(checked, name)) continue
    if (typeof property === 'object' && property.default !== undefined) checked[name] = property.default
    else if (!isOptional(schema, name))
      problems.push(`The argument "${path === '' ? name : `${path}.${name}`}" is missing.`)
  }
  return checked
}

const isOptional = (schema: JsonSchema, name: string): boolean => schema.required?.includes(name) !== true

const allowsNull = (schema: Schema | undefined): boolean =>
  typeof schema === 'object' && (schema.type === undefined || typesOf(schema).includes('null'))

const typesOf = ({type}: JsonSchema): readonly string[] => {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}

const checkValue = (schema: Schema, given: unknown, path: string, problems: string[]): unknown => {
  if (typeof schema === 'boolean') return given
  const types = typesOf(schema)
  const value = types.length === 0 || types.some((type) => isOfType(given, type)) ? given : coerced(given, types)
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    problems.push(`The argument "${path}" must be ${types.join(' or ')}, not ${nameOfType(given)}.`)
    return value
  }
  if (schema.enum !== undefined && !schema.enum.some((allowed) => JSON.stringify(allowed) === JSON.stringify(value))) {
    problems.push(`The argument "${path}" must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}.`)
  }
  if (Array.isArray(value) && typeof schema.items === 'object' && !Array.isArray(schema.items)) {
    const items = schema.items
    return value.map((item, index) => checkValue(items, item, `${path}[${index}]`, problems))
  }
  return isRecord(value) && schema.properties !== undefined ? checkObject(schema, value, path, problems) : value
}

/** What a model wrote as a text, as the type that was asked for; the value itself when it does not read as one. */
const coerced = (value: unknown, types: readonly string[]): unknown => {
  if (typeof value === 'string') {
    const parsed = parseJson(value)
    const fitting = types.some((type) => type !== 'string' && isOfType(parsed, type))
    if (fitting) return parsed
  }
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  return types.includes('array') && value !== null && value !== undefined && !isRecord(value) ? [value] : value
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isOfType = (value: unknown, type: string): boolean => {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

const nameOfType = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
