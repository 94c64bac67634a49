import {tryWriteCache} from '../platform/cache-file.js'
import {statOf} from '../platform/file-stat.js'
import {readBytes} from '../platform/files.js'
import {foldersOn} from './conversation-roots.js'
import {restMs} from './listing-memory.js'

/** Remembers which folders lie on a shelf: while the shelf has its stamp, nothing was put on it or taken off. */
export interface ShelfMemory {
  /** As `foldersOn`. */
  list(this: void, shelf: string): readonly string[]
  /** Writes what is new. A memory that can't be written is no error: the next listing reads the shelves again. */
  save(): void
}

type Remembered = {readonly stamp: string; readonly names: readonly string[]}

/** Raised when shelves would be read or stored differently. */
const format = 1

/** A shelf of fewer folders is read as fast as it is remembered. */
const worthRemembering = 256

/**
 * Opens the memory in a file below the cache folder; it can always be removed.
 * @param nowMs the time of the file system's own clock. Unit: milliseconds since the Unix epoch.
 */
export const openShelfMemory = (file: string, nowMs: () => number): ShelfMemory => {
  let known: ReadonlyMap<string, Remembered> | undefined
  const seen = new Map<string, Remembered>()
  let isNew = false
  return {
    list(shelf) {
      const stat = statOf(shelf)
      if (stat === undefined) return []
      const stamp = `${stat.ctimeMs}:${stat.mtimeMs}:${stat.ino}:${stat.dev}`
      known ??= load(file)
      const remembered = known.get(shelf)
      if (remembered?.stamp === stamp) {
        seen.set(shelf, remembered)
        return remembered.names
      }
      // The stamp is older than what is read. What has just changed could change again within the same stamp.
      const isAtRest = stat.ctimeMs <= nowMs() - restMs
      const names = foldersOn(shelf)
      if (isAtRest && names.length >= worthRemembering) {
        seen.set(shelf, {stamp, names})
        isNew = true
      }
      return names
    },
    save() {
      if (!isNew) return
      isNew = false
      tryWriteCache(file, encode(seen))
    },
  }
}

/**
 * A line of JSON, then the names, joined by what no name contains: ten thousand short texts would take as long to parse as a
 * folder to read.
 */
const encode = (shelves: ReadonlyMap<string, Remembered>): Buffer => {
  const head = {
    format,
    shelves: [...shelves].map(([shelf, {stamp, names}]) => ({shelf, stamp, count: names.length})),
  }
  const names = [...shelves.values()].flatMap((shelf) => shelf.names)
  return Buffer.from(`${JSON.stringify(head)}\n${names.join('/')}`, 'utf8')
}

/** Our own file, in a folder of the user's alone; anything unexpected in it is no memory. */
const load = (file: string): ReadonlyMap<string, Remembered> => {
  const shelves = new Map<string, Remembered>()
  try {
    const bytes = readBytes(file)
    const end = bytes.indexOf('\n')
    const head = JSON.parse(bytes.toString('utf8', 0, end)) as Head
    const names = bytes.toString('utf8', end + 1).split('/')
    if (head.format !== format || head.shelves.reduce((sum, {count}) => sum + count, 0) !== names.length) return shelves
    let at = 0
    for (const {shelf, stamp, count} of head.shelves) shelves.set(shelf, {stamp, names: names.slice(at, (at += count))})
  } catch {
    shelves.clear()
  }
  return shelves
}

type Head = {
  readonly format: number
  readonly shelves: readonly {readonly shelf: string; readonly stamp: string; readonly count: number}[]
}
