import {crc32} from 'node:zlib'
import {JpError} from '../errors/jp-error.js'
import {readBytes, writeCache} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {isAtRest, isSame, type ListingMemory, type Remembered, type Row} from './listing-memory.js'

/** What an index stands on. */
export type IndexDeps = {
  /** Its file below the cache folder; undefined: it lives as long as the process. */
  readonly path: string | undefined
  /** The time of the file system's own clock. Unit: milliseconds since the Unix epoch. */
  nowMs(this: void): number
}

/** How many conversations must have been read anew before the file is written again: it holds all of them. */
const worthSaving = 16

/**
 * Creates the memory of a view's listings, read from its file at the first look. The file is a cache: a damaged one, one
 * of another version, or one that can't be written costs time and nothing else.
 */
export const createListingIndex = ({path, nowMs}: IndexDeps): ListingMemory => {
  let rows: Map<ConversationId, Row> | undefined
  let unsaved = 0
  const known = (): Map<ConversationId, Row> => (rows ??= path === undefined ? new Map() : loadRows(path))
  return {
    knows: (id) => known().has(id),
    find(id, stamps) {
      const row = known().get(id)
      return row !== undefined && isSame(row, stamps) ? row.read : undefined
    },
    keep(id, stamps, read) {
      if (!isAtRest(stamps, nowMs())) return
      known().set(id, {stamps, from: 0, length: stamps.length, read})
      unsaved += 1
    },
    settle(seen) {
      if (unsaved < worthSaving) return
      unsaved = 0
      const there = seen()
      for (const id of known().keys()) if (!there.has(id)) known().delete(id)
      if (path !== undefined) saveRows(path, known())
    },
  }
}

/** Marks the file and its layout: a new layout is a new mark. */
const mark = Buffer.from('jplist01', 'latin1')
const headerBytes = 32

type StoredRow = readonly [id: string, length: number, read: Remembered]

const saveRows = (path: string, rows: ReadonlyMap<ConversationId, Row>): void => {
  const stored = [...rows].map(([id, {length, read}]): StoredRow => [id, length, read])
  const numbers = new Float64Array([...rows.values()].reduce((sum, {length}) => sum + length, 0))
  let at = 0
  for (const {stamps, from, length} of rows.values()) {
    for (let index = 0; index < length; index++) numbers[at + index] = stamps[from + index] ?? 0
    at += length
  }
  const body = Buffer.concat([Buffer.from(numbers.buffer), Buffer.from(JSON.stringify(stored), 'utf8')])
  const header = Buffer.alloc(headerBytes)
  mark.copy(header)
  header.writeDoubleLE(numbers.length, 8)
  header.writeDoubleLE(body.length, 16)
  header.writeUInt32LE(crc32(body), 24)
  try {
    writeCache(path, Buffer.concat([header, body]))
  } catch (error) {
    if (!(error instanceof JpError)) throw error
  }
}

const loadRows = (path: string): Map<ConversationId, Row> => {
  try {
    return parseRows(readBytes(path)) ?? new Map()
  } catch {
    return new Map()
  }
}

const parseRows = (bytes: Buffer): Map<ConversationId, Row> | undefined => {
  const body = bytes.subarray(headerBytes)
  if (bytes.length < headerBytes || !bytes.subarray(0, mark.length).equals(mark)) return undefined
  if (bytes.readDoubleLE(16) !== body.length || bytes.readUInt32LE(24) !== crc32(body)) return undefined
  const count = bytes.readDoubleLE(8)
  const numbers = new Float64Array(count)
  body.copy(new Uint8Array(numbers.buffer), 0, 0, count * 8)
  const stored = JSON.parse(body.toString('utf8', count * 8)) as readonly StoredRow[]
  const rows = new Map<ConversationId, Row>()
  let from = 0
  for (const [id, length, read] of stored) {
    rows.set(id as ConversationId, {stamps: numbers, from, length, read})
    from += length
  }
  return rows
}
