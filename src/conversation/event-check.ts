import {isStoredTime} from './timestamp.js'

/** A JSON object of which nothing is known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for a JSON object; arrays and null are none. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An element that has what every event has. */
export type RawEvent = JsonObject & {readonly type: string; readonly timestamp: string}

const isText = (value: unknown): boolean => typeof value === 'string'
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0
const optional = (value: unknown, check: (value: unknown) => boolean): boolean => value === undefined || check(value)

/** What a field of a known event must be; the answer names the first that is not. */
type FieldCheck = readonly [field: string, check: (value: unknown, event: JsonObject) => boolean]

const checks: Readonly<Record<string, readonly FieldCheck[]>> = {
  config_delta: [['delta', (value) => optional(value, isJsonObject)]],
  turn_start: [],
  chat_request: [
    ['content', isText],
    ['schema', (value) => optional(value, isJsonObject)],
    ['author', (value) => optional(value, isText)],
  ],
  chat_response: [
    ['message', (value, event) => isText(value) || (value === undefined && ('reasoning' in event || 'data' in event))],
    ['reasoning', (value) => optional(value, isText)],
  ],
  tool_call_request: [
    ['id', isText],
    ['name', isText],
    ['arguments', (value) => optional(value, isJsonObject)],
  ],
  tool_call_response: [
    ['id', isText],
    ['content', isText],
    ['is_error', (value) => typeof value === 'boolean'],
  ],
  inquiry_request: [
    ['id', isText],
    ['source', (value) => isJsonObject(value) && isText(value['source'])],
    ['question', (value) => isJsonObject(value) && isText(value['text']) && isJsonObject(value['answer_type'])],
  ],
  inquiry_response: [
    ['id', isText],
    ['answer', (value) => value !== undefined],
  ],
  compaction: [
    ['from_turn', isCount],
    ['to_turn', isCount],
  ],
}

/** True for a type whose fields jp knows. */
export const isKnownType = (type: string): boolean => Object.hasOwn(checks, type)

/** Checks one parsed element. The text says what is wrong with it: `it has no "timestamp"`. */
export const checkEvent = (value: unknown): RawEvent | string => {
  if (!isJsonObject(value)) return 'it is no object'
  if (!isText(value['type'])) return 'it has no "type"'
  if (!isText(value['timestamp'])) return 'it has no "timestamp"'
  const event = value as RawEvent
  const fields = Object.hasOwn(checks, event.type) ? checks[event.type] : undefined
  if (fields === undefined) return event
  if (!isStoredTime(event.timestamp)) return `its "timestamp" is no time`
  if (!optional(value['metadata'], isJsonObject)) return `its "metadata" is no object`
  for (const [field, check] of fields) {
    if (!check(value[field], value)) return `its type is ${event.type}, and "${field}" is missing or of another kind`
  }
  return event
}
