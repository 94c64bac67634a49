import {tryWriteCache} from '../platform/cache-file.js'
import {readBytes} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {decodeRows, encodeRows, noIndex, type StoredIndex} from './listing-codec.js'
import {isUnchanged, type ListingMemory, type Row, rowOf, unchangedAmong} from './listing-memory.js'
import type {VisitCopies} from './listing-sight.js'

/** What an index stands on. */
export type IndexDeps = {
  /** Its file below the cache folder; undefined: it lives as long as the process. */
  readonly path: string | undefined
  /** The time of the file system's own clock. Unit: milliseconds since the Unix epoch. */
  nowMs(this: void): number
  /** How it looks at the copies of many conversations. */
  readonly visitCopies: VisitCopies
}

/** How many conversations must have been read anew before the file is written again: it holds all of them. */
const worthSaving = 16

/**
 * Creates the memory of a view's listings, read from its file at the first look. The file is a cache: a damaged one, one
 * of another version, or one that can't be written costs time and nothing else.
 */
export const createListingIndex = ({path, nowMs, visitCopies}: IndexDeps): ListingMemory => {
  let stored: StoredIndex | undefined
  const kept = new Map<ConversationId, Row>()
  const known = (id: ConversationId): Row | undefined => {
    stored ??= path === undefined ? noIndex : loadIndex(path)
    return kept.get(id) ?? stored.find(id)
  }
  let unsaved = 0
  return {
    find(id, copies) {
      const row = known(id)
      return row !== undefined && isUnchanged(row, copies) ? row : undefined
    },
    *findAll(groups) {
      const rows = groups.map(({id}) => known(id))
      yield
      return unchangedAmong(rows, groups, visitCopies)
    },
    keep(id, looked, read) {
      const row = rowOf(looked, read, nowMs())
      if (row === undefined) return
      kept.set(id, row)
      unsaved += 1
    },
    settle(seen) {
      if (unsaved < worthSaving) return
      unsaved = 0
      const there = seen()
      for (const id of kept.keys()) if (!there.has(id)) kept.delete(id)
      if (path === undefined) return
      const rows = [...there].flatMap((id) => {
        const row = known(id)
        return row === undefined ? [] : [[id, row] as const]
      })
      tryWriteCache(path, encodeRows(new Map(rows)))
    },
  }
}

const loadIndex = (path: string): StoredIndex => {
  try {
    return decodeRows(readBytes(path)) ?? noIndex
  } catch {
    return noIndex
  }
}
