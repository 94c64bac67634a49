import type {BigIntStats} from 'node:fs'
import {join} from 'node:path'
import {makeDirectory, readTextIfPresent, sweepTemporaries, writeAtomic} from '../platform/files.js'
import type {ManifestReading} from './manifest-scan.js'

/** Remembers what files said of themselves (P5). It can always be removed. */
export interface ManifestCache {
  /** The reading of a file that has not changed since it was stored. */
  find(path: string, stat: BigIntStats): ManifestReading | undefined
  /** Stores a reading, unless the file changed so lately that it could change again within the same stamp. */
  store(path: string, stat: BigIntStats, reading: ManifestReading): void
  /** Writes what is new. A cache that can't be written is no error. */
  save(): void
}

type Entry = {readonly stamp: string; readonly reading: ManifestReading}

/** Raised when a reading would come out differently, so that an upgraded jp reads the files again. */
const format = 1

/** How long a file must have been left alone: file systems count time in steps. Unit: milliseconds. */
const settledMs = 2000

/** Opens the cache in `<cache>/plugins/manifests.json`. */
export const openManifestCache = (cacheDirectory: string, nowMs: number): ManifestCache => {
  const folder = join(cacheDirectory, 'plugins')
  const path = join(folder, 'manifests.json')
  const entries = new Map<string, Entry>(Object.entries(readEntries(path)))
  let changed = false
  return {
    find(file, stat) {
      const entry = entries.get(file)
      return entry?.stamp === stampOf(stat) ? entry.reading : undefined
    },
    store(file, stat, reading) {
      if (nowMs - Number(stat.ctimeMs) < settledMs) return
      entries.set(file, {stamp: stampOf(stat), reading})
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

/** What tells one state of a file from another: size, mtime and ctime in nanoseconds, inode and device (P5). */
export const stampOf = (stat: BigIntStats): string =>
  `${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.ino}:${stat.dev}`

/** Our own file, in a folder of the user's alone; anything unexpected in it reads as no cache. */
const readEntries = (path: string): Record<string, Entry> => {
  try {
    const text = readTextIfPresent(path, {maxBytes: 64 * 1024 * 1024})
    const value =
      text === undefined ? undefined : (JSON.parse(text) as {format?: number; entries?: Record<string, Entry>})
    return value?.format === format && typeof value.entries === 'object' ? value.entries : {}
  } catch {
    return {}
  }
}
