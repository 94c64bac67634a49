import type {BigIntStats} from 'node:fs'
import {join} from 'node:path'
import {makeDirectory, readTextIfPresent, writeAtomic} from '../platform/files.js'
import {sweepTemporaries} from '../platform/temporaries.js'

/** Remembers what files said of themselves (P5). It can always be removed. */
export interface ManifestCache<Reading> {
  /** The reading of files that have not changed since it was stored; `stats` are theirs, in a fixed order. */
  find(path: string, stats: readonly BigIntStats[]): Reading | undefined
  /** Stores a reading, unless a file changed so lately that it could change again within the same stamp. */
  store(path: string, stats: readonly BigIntStats[], reading: Reading): void
  /** Writes what is new. A cache that can't be written is no error. */
  save(): void
}

type Entry<Reading> = {readonly stamp: string; readonly reading: Reading}

/** Raised when a reading would come out differently, so that an upgraded jp reads the files again. */
const format = 1

/** How long a file must have been left alone: file systems count time in steps. Unit: milliseconds. */
const settledMs = 2000

/** Where a cache lies, and when this is. */
export type CachePlace = {readonly cacheDirectory: string; readonly name: string; readonly nowMs: number}

/** Opens the cache in `<cache>/plugins/<name>.json`. */
export const openManifestCache = <Reading>({cacheDirectory, name, nowMs}: CachePlace): ManifestCache<Reading> => {
  const folder = join(cacheDirectory, 'plugins')
  const path = join(folder, `${name}.json`)
  const entries = new Map<string, Entry<Reading>>(Object.entries(readEntries<Reading>(path)))
  let changed = false
  return {
    find(file, stats) {
      const entry = entries.get(file)
      return entry?.stamp === stampOf(stats) ? entry.reading : undefined
    },
    store(file, stats, reading) {
      if (stats.some((stat) => nowMs - Number(stat.ctimeMs) < settledMs)) return
      entries.set(file, {stamp: stampOf(stats), reading})
      changed = true
    },
    save() {
      if (!changed) return
      try {
        makeDirectory(folder, 'user')
        sweepTemporaries(folder)
        writeAtomic(path, JSON.stringify({format, entries: Object.fromEntries(entries)}), 'user')
      } catch {
        // The next run reads the manifests again.
      }
    },
  }
}

/** What tells one state of files from another: size, mtime and ctime in nanoseconds, inode and device (P5). */
const stampOf = (stats: readonly BigIntStats[]): string =>
  stats.map((stat) => `${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.ino}:${stat.dev}`).join()

/** Our own file, in a folder of the user's alone; anything unexpected in it reads as no cache. */
const readEntries = <Reading>(path: string): Record<string, Entry<Reading>> => {
  try {
    const text = readTextIfPresent(path, {maxBytes: 64 * 1024 * 1024})
    const value =
      text === undefined ? undefined : (JSON.parse(text) as {format?: number; entries?: Record<string, Entry<Reading>>})
    return value?.format === format && typeof value.entries === 'object' ? value.entries : {}
  } catch {
    return {}
  }
}
