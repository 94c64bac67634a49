import {lstatSync, type Stats, statSync, unlinkSync} from 'node:fs'
import {join} from 'node:path'
import {writeCache} from '../../platform/cache-file.js'
import {listNames, readBytes} from '../../platform/files.js'
import {fromWithin} from '../../platform/look-into.js'
import {sha256OfText} from '../../platform/text-digest.js'
import {isRecord} from './json-fields.js'

/**
 * The hashes of trees that have not changed (P13), a file a tree in `<cache>/plugins/trees`. They can always be removed.
 *
 * With a hash go the names in every folder of its tree. While a folder has its mtime, ctime and inode it has these names, so
 * that none is listed again: one `lstat` an entry proves the tree, and nothing less would, since a file that is written to
 * changes no folder.
 */
export interface TreeMemory {
  /** The hash of a tree that is as it was; undefined when it changed or was never remembered. */
  recall(root: string): string | undefined
  /**
   * Remembers the hash of a tree, unless it changed after it was walked, or so lately that it could change again within the
   * same stamp. A memory that can't be written is no error.
   */
  remember(root: string, walked: WalkedTree, sha256: string): void
}

/** The names in one folder of a tree. */
export type FolderNames = {readonly folder: string; readonly names: readonly string[]}

/** A tree as it was found: its folders with their names, and the stats of the root and of all of these, in this order. */
export type WalkedTree = {readonly folders: readonly FolderNames[]; readonly stats: readonly Stats[]}

/** Where trees are remembered. */
export type TreeMemoryPlace = {readonly cacheDirectory: string; readonly nowMs: number}

/** File systems count time in steps. Unit: milliseconds. */
const settledMs = 2000
const maxMemoryBytes = 64 * 1024 * 1024
const maxTrees = 200

/** Opens the memory. */
export const openTreeMemory = ({cacheDirectory, nowMs}: TreeMemoryPlace): TreeMemory => {
  const directory = join(cacheDirectory, 'plugins', 'trees')
  const fileOf = (root: string): string => join(directory, `${sha256OfText(root).slice(0, 32)}.tree`)
  return {
    recall(root) {
      const known = read(fileOf(root), root)
      const now = known === undefined ? undefined : factsNow(root, known.folders)
      return now !== undefined && known?.facts.equals(now.bytes) === true ? known.sha256 : undefined
    },
    remember(root, {folders, stats}, sha256) {
      const {bytes, newestMs} = factsOf(stats)
      if (nowMs - newestMs < settledMs || factsNow(root, folders)?.bytes.equals(bytes) !== true) return
      try {
        const head = JSON.stringify({format, root, sha256, folders: folders.map((folder) => stored(root, folder))})
        writeCache(fileOf(root), Buffer.concat([Buffer.from(`${head}\n`), bytes]))
        dropOldest(directory)
      } catch {
        // The next run hashes the tree again.
      }
    },
  }
}

type Remembered = {readonly sha256: string; readonly folders: readonly FolderNames[]; readonly facts: Buffer}

/**
 * A folder as it is stored: below the root, and its names in one text, joined by what no name contains. Thousands of short
 * texts would take longer to parse than their files to look at.
 */
type StoredFolder = readonly [folder: string, names: string]

const stored = (root: string, {folder, names}: FolderNames): StoredFolder => [
  folder.slice(root.length),
  names.join('/'),
]

const restored = (root: string, [folder, names]: StoredFolder): FolderNames => ({
  folder: root + folder,
  names: names === '' ? [] : names.split('/'),
})

/** Raised when a tree would be looked at or stored differently. */
const format = 3

/** One line of JSON, then the facts. Our own file, in a folder of the user's alone; anything unexpected in it is no memory. */
const read = (file: string, root: string): Remembered | undefined => {
  try {
    const bytes = readBytes(file, {maxBytes: maxMemoryBytes})
    const end = bytes.indexOf('\n')
    const value: unknown = JSON.parse(bytes.toString('utf8', 0, end))
    if (!isRecord(value) || value['format'] !== format || value['root'] !== root) return undefined
    const {sha256, folders} = value as unknown as {sha256: string; folders: readonly StoredFolder[]}
    return {sha256, folders: folders.map((folder) => restored(root, folder)), facts: bytes.subarray(end + 1)}
  } catch {
    return undefined
  }
}

/**
 * What tells one state of a tree from another: mode, size, mtime, ctime, inode and device of the root and of every entry. As
 * numbers and not as text or `bigint`, which would take most of the time of a large tree; a time is exact to a quarter of a
 * microsecond then. They are compared as they are: a digest of them would take longer than to read them.
 */
type Facts = {readonly bytes: Buffer; readonly newestMs: number}

const factsNow = (root: string, folders: readonly FolderNames[]): Facts | undefined => {
  try {
    const facts = createFacts(folders.reduce((entries, {names}) => entries + names.length, 1))
    facts.add(lstatSync(root))
    fromWithin(folders, ({names}, prefix) => {
      for (const name of names) facts.add(lstatSync(prefix + name))
    })
    return facts.all()
  } catch {
    return undefined
  }
}

const factsOf = (stats: readonly Stats[]): Facts => {
  const facts = createFacts(stats.length)
  for (const stat of stats) facts.add(stat)
  return facts.all()
}

/** Gathers the facts of so many entries. No `Stats` outlives its turn, so that there is nothing to collect. */
const createFacts = (entries: number): {readonly add: (stat: Stats) => void; readonly all: () => Facts} => {
  const facts = new Float64Array(entries * 6)
  let newestMs = 0
  let at = 0
  return {
    add({mode, size, mtimeMs, ctimeMs, ino, dev}) {
      facts[at++] = mode
      facts[at++] = size
      facts[at++] = mtimeMs
      facts[at++] = ctimeMs
      facts[at++] = ino
      facts[at++] = dev
      if (ctimeMs > newestMs) newestMs = ctimeMs
    },
    all: () => ({bytes: Buffer.from(facts.buffer), newestMs}),
  }
}

/** Trees that are gone are never asked about again: the oldest memories make room. */
const dropOldest = (directory: string): void => {
  const names = listNames(directory)
  if (names.length <= maxTrees) return
  const byAge = names
    .map((name) => ({file: join(directory, name), atMs: statSync(join(directory, name)).mtimeMs}))
    .sort((left, right) => left.atMs - right.atMs)
  for (const {file} of byAge.slice(0, names.length - maxTrees)) unlinkSync(file)
}
