import {JpError} from '../errors/jp-error.js'
import {writeCache} from '../platform/cache-file.js'
import {readBytes} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {decodeRows, encodeRows} from './listing-codec.js'
import {isUnchanged, type ListingMemory, type Row, rowOf} from './listing-memory.js'

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
    find(id, copies) {
      const row = known().get(id)
      return row !== undefined && isUnchanged(row, copies) ? row.read : undefined
    },
    keep(id, looked, read) {
      const row = rowOf(looked, read, nowMs())
      if (row === undefined) return
      known().set(id, row)
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

const saveRows = (path: string, rows: ReadonlyMap<ConversationId, Row>): void => {
  try {
    writeCache(path, encodeRows(rows))
  } catch (error) {
    if (!(error instanceof JpError)) throw error
  }
}

const loadRows = (path: string): Map<ConversationId, Row> => {
  try {
    return decodeRows(readBytes(path)) ?? new Map()
  } catch {
    return new Map()
  }
}
