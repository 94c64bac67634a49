import {type ToHost, type ToHostType, toHostSchemas} from './plugin-to-host.js'

/** What one line of a plugin is (P19). */
export type PluginLine =
  | {readonly kind: 'message'; readonly message: ToHost}
  /** Wrong, but it can be answered: the plugin lives on. */
  | {
      readonly kind: 'refused'
      readonly id: string
      readonly request: string
      readonly code: 'request_unknown' | 'request_invalid'
      readonly reason: string
    }
  /** Wrong, and nobody could be told. */
  | {readonly kind: 'fatal'; readonly reason: string}

/** Reads one line of a plugin. A blank line is nothing and reads as undefined. */
export const readPluginLine = (line: string): PluginLine | undefined => {
  if (line.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return {kind: 'fatal', reason: 'it is not JSON'}
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {kind: 'fatal', reason: 'it is not a JSON object'}
  }
  if (!('type' in value) || typeof value.type !== 'string') return {kind: 'fatal', reason: 'it has no "type"'}
  const {type} = value
  const id = 'id' in value && typeof value.id === 'string' ? value.id : undefined
  const schema = isToHostType(type) ? toHostSchemas[type] : undefined
  if (schema === undefined) {
    const reason = `there is no message of type ${JSON.stringify(type.slice(0, 60))}`
    return id === undefined
      ? {kind: 'fatal', reason}
      : {kind: 'refused', id, request: type, code: 'request_unknown', reason}
  }
  const read = schema.safeParse(value)
  if (read.success) return {kind: 'message', message: read.data}
  const issue = read.error.issues[0]
  const field = issue === undefined || issue.path.length === 0 ? '' : `"${issue.path.join('.')}": `
  const reason = `${field}${issue?.message ?? 'wrong fields'}`
  return id === undefined
    ? {kind: 'fatal', reason}
    : {kind: 'refused', id, request: type, code: 'request_invalid', reason}
}

const isToHostType = (type: string): type is ToHostType => Object.hasOwn(toHostSchemas, type)
