import type {ConversationId} from '../platform/id-grammar.js'
import type {Remembered, Row} from './listing-memory.js'
import type {ConversationMetadata} from './metadata.js'
import type {SessionId} from './session-id.js'

/** Marks the file and its layout: a new layout is a new mark. */
const mark = Buffer.from('jplist04', 'latin1')
const headerBytes = 32

/**
 * What was read, a list for each part and a place in each for every conversation: parsing ten thousand objects takes
 * longer than looking at their files.
 */
type StoredRows = {
  readonly ids: readonly ConversationId[]
  /** How many of the stamps are its own. */
  readonly lengths: readonly number[]
  readonly isOneStream: readonly (0 | 1)[]
  readonly eventsCounts: readonly number[]
  readonly activated: readonly string[]
  readonly titles: readonly (string | null)[]
  /** Where each last ran: places in `paths`, -1 for no record. */
  readonly roots: readonly number[]
  readonly used: readonly (string | null)[]
  readonly paths: readonly string[]
  /** The session ids that callers gave, by their place. */
  readonly sessions: Readonly<Record<number, SessionId>>
  /** What few conversations have, by their place. */
  readonly rest: Readonly<Record<number, Omit<ConversationMetadata, 'title' | 'last_activated_at'>>>
}

/** What an index file holds, looked up one at a time: most of it is used up at once, and made for nothing before. */
export type StoredIndex = {
  /** @param id found at once when it comes after the one that was asked for last. */
  find(this: void, id: ConversationId): Row | undefined
}

/** Holds nothing. */
export const noIndex: StoredIndex = {find: () => undefined}

/** The bytes of an index: a header with a checksum, the stamps as plain numbers, the rest as JSON. */
export const encodeRows = (rows: ReadonlyMap<ConversationId, Row>): Buffer => {
  const numbers = new Float64Array([...rows.values()].reduce((sum, {length}) => sum + length, 0))
  let at = 0
  for (const {stamps, from, length} of rows.values()) {
    for (let index = 0; index < length; index++) numbers[at + index] = stamps[from + index] ?? 0
    at += length
  }
  const body = Buffer.concat([Buffer.from(numbers.buffer), Buffer.from(JSON.stringify(storedRows(rows)), 'utf8')])
  const header = Buffer.alloc(headerBytes)
  mark.copy(header)
  header.writeDoubleLE(numbers.length, 8)
  header.writeDoubleLE(body.length, 16)
  header.writeUInt32LE(checksumOf(body), 24)
  return Buffer.concat([header, body])
}

/** FNV-1a over words of four bytes: Node's own checksums lie in a module that takes longer to load than this to count. */
const checksumOf = (bytes: Buffer): number => {
  const whole = bytes.length - (bytes.length % 4)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let sum = 0x811c9dc5
  for (let at = 0; at < whole; at += 4) sum = Math.imul(sum ^ view.getInt32(at, true), 0x01000193)
  for (let at = whole; at < bytes.length; at++) sum = Math.imul(sum ^ view.getUint8(at), 0x01000193)
  return sum >>> 0
}

const storedRows = (rows: ReadonlyMap<ConversationId, Row>): StoredRows => {
  const all = [...rows.values()].map((row) => row.read())
  const paths = [...new Set(all.flatMap(({lastRoot}) => lastRoot?.path ?? []))]
  const places = new Map(paths.map((path, place) => [path, place]))
  const rest = all.flatMap(({metadata}, place) => {
    const {title: _title, last_activated_at: _activated, ...others} = metadata
    return Object.keys(others).length === 1 && Object.keys(others.labels).length === 0 ? [] : [[place, others] as const]
  })
  const sessions = all.flatMap(({sessionId}, place) => (sessionId === undefined ? [] : [[place, sessionId] as const]))
  return {
    ids: [...rows.keys()],
    lengths: [...rows.values()].map(({length}) => length),
    isOneStream: all.map(({isOneStream}) => (isOneStream ? 1 : 0)),
    eventsCounts: all.map(({eventsCount}) => eventsCount),
    activated: all.map(({metadata}) => metadata.last_activated_at),
    titles: all.map(({metadata}) => metadata.title ?? null),
    roots: all.map(({lastRoot}) => places.get(lastRoot?.path ?? '') ?? -1),
    used: all.map(({lastRoot}) => lastRoot?.last_used ?? null),
    paths,
    sessions: Object.fromEntries(sessions),
    rest: Object.fromEntries(rest),
  }
}

/** What an index's bytes hold; undefined for bytes of another layout, or damaged ones. */
export const decodeRows = (bytes: Buffer): StoredIndex | undefined => {
  const body = bytes.subarray(headerBytes)
  if (bytes.length < headerBytes || !bytes.subarray(0, mark.length).equals(mark)) return undefined
  if (bytes.readDoubleLE(16) !== body.length || bytes.readUInt32LE(24) !== checksumOf(body)) return undefined
  const count = bytes.readDoubleLE(8)
  const stamps = new Float64Array(count)
  body.copy(new Uint8Array(stamps.buffer), 0, 0, count * 8)
  return indexOf(JSON.parse(body.toString('utf8', count * 8)), stamps)
}

const indexOf = (stored: StoredRows, stamps: Float64Array): StoredIndex => {
  const starts = startsOf(stored.lengths)
  const placeOf = placesOf(stored.ids)
  return {
    find(id) {
      const place = placeOf(id)
      if (place === undefined) return undefined
      return {
        stamps,
        from: starts[place] ?? 0,
        length: stored.lengths[place] ?? 0,
        isOneStream: stored.isOneStream[place] === 1,
        read: () => rememberedAt(stored, place),
      }
    },
  }
}

const startsOf = (lengths: readonly number[]): Float64Array => {
  const starts = new Float64Array(lengths.length)
  let at = 0
  for (const [place, length] of lengths.entries()) {
    starts[place] = at
    at += length
  }
  return starts
}

/** Where each id stands. A listing asks for them in the order in which the last one wrote them: then no map is needed. */
const placesOf = (ids: readonly ConversationId[]): ((id: ConversationId) => number | undefined) => {
  let next = 0
  let places: ReadonlyMap<ConversationId, number> | undefined
  return (id) => {
    const place = ids[next] === id ? next : (places ??= new Map(ids.map((each, at) => [each, at]))).get(id)
    if (place !== undefined) next = place + 1
    return place
  }
}

const rememberedAt = (stored: StoredRows, place: number): Remembered => {
  const path = stored.paths[stored.roots[place] ?? -1]
  const used = stored.used[place] ?? null
  return {
    metadata: metadataAt(stored, place),
    eventsCount: stored.eventsCounts[place] ?? 0,
    lastRoot: path === undefined ? undefined : used === null ? {path} : {path, last_used: used},
    sessionId: stored.sessions[place],
    isOneStream: stored.isOneStream[place] === 1,
  }
}

const noLabels = {}

/** Written out, since spreading the parts of thousands of objects takes longer than all else here. */
const metadataAt = (stored: StoredRows, place: number): ConversationMetadata => {
  const title = stored.titles[place] ?? null
  const last_activated_at = stored.activated[place] ?? ''
  const rest = stored.rest[place]
  if (rest !== undefined) return {...(title === null ? {} : {title}), last_activated_at, ...rest}
  return title === null ? {last_activated_at, labels: noLabels} : {title, last_activated_at, labels: noLabels}
}
