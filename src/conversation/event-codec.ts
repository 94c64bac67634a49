import {decodeString, encodeString, mapStrings} from './base64-fields.js'
import type {KnownEvent, NewEvent, StoredEvent} from './event.js'
import {isKnownType, type JsonObject, type RawEvent} from './event-check.js'

/** A checked element as a stored event. Decoding happens at the first look. */
export const createStoredEvent = (raw: RawEvent, text: () => string): StoredEvent => new ElementEvent(raw, text)

/**
 * A class for its getters: an object literal with getters gets a hidden class of its own each time, and a stream has
 * hundreds of thousands of events.
 */
class ElementEvent implements StoredEvent {
  readonly type: string
  readonly timestamp: string
  readonly #raw: RawEvent
  readonly #text: () => string
  #value: JsonObject | undefined

  constructor(raw: RawEvent, text: () => string) {
    this.type = raw.type
    this.timestamp = raw.timestamp
    this.#raw = raw
    this.#text = text
  }

  get value(): JsonObject {
    this.#value ??= decodeEvent(this.#raw)
    return this.#value
  }

  get known(): KnownEvent | undefined {
    return isKnownType(this.type) ? knownEvent(this.value) : undefined
  }

  get text(): string {
    return this.#text()
  }
}

/** True for an event of which the file holds something encoded: its decoded fields are others than its text. */
export const hasEncodedFields = (raw: RawEvent): boolean =>
  isKnownType(raw.type) &&
  (raw.type === 'tool_call_response' ||
    (raw.type === 'tool_call_request' && raw['arguments'] !== undefined) ||
    raw['metadata'] !== undefined)

const decodeEvent = (raw: RawEvent): JsonObject => {
  if (!isKnownType(raw.type)) return raw
  const decoded: Record<string, unknown> = {...raw}
  if (raw['metadata'] !== undefined) decoded['metadata'] = mapStrings(raw['metadata'], decodeString)
  if (raw.type === 'tool_call_request' && raw['arguments'] !== undefined)
    decoded['arguments'] = mapStrings(raw['arguments'], decodeString)
  if (raw.type === 'tool_call_response') decoded['content'] = decodeString(String(raw['content']))
  return decoded
}

/** The legacy shapes of facts 2.6 as the present ones. `checkEvent` has proven the fields. */
const knownEvent = (value: JsonObject): KnownEvent => {
  if (value['type'] === 'config_delta' && value['delta'] === undefined) {
    const {type, timestamp, metadata, ...delta} = value
    return {type, timestamp, delta, ...(metadata === undefined ? {} : {metadata})} as unknown as KnownEvent
  }
  if (value['type'] === 'tool_call_request' && value['arguments'] === undefined)
    return {...value, arguments: {}} as unknown as KnownEvent
  return value as unknown as KnownEvent
}

/**
 * The text of a new event as an element of `events.json`: pretty, indented by one level, the encoded fields encoded.
 * @param now the timestamp of an event that has none, in the stored spelling.
 */
export const eventText = (event: NewEvent, now: string): string => {
  const {type, timestamp = now, metadata, ...fields} = event
  const encoded: Record<string, unknown> = {timestamp, type, ...(mapStrings(fields, wellFormed) as JsonObject)}
  if (event.type === 'tool_call_request') encoded['arguments'] = mapStrings(event.arguments, encodeString)
  if (event.type === 'tool_call_response') encoded['content'] = encodeString(event.content)
  if (metadata !== undefined && Object.keys(metadata).length > 0)
    encoded['metadata'] = mapStrings(metadata, encodeString)
  return `  ${JSON.stringify(encoded, undefined, 2).replaceAll('\n', '\n  ')}`
}

const wellFormed = (text: string): string => text.toWellFormed()
