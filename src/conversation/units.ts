import {lstatSync} from 'node:fs'
import {join, sep} from 'node:path'
import {statOf} from '../platform/file-stat.js'
import type {Copy} from './conversation-roots.js'

/** The files that belong to a conversation and are projected. Everything else in its folder is left alone (S22). */
export const managedFiles = ['metadata.json', 'base_config.json', 'events.json'] as const
export type ManagedFile = (typeof managedFiles)[number]

/** A file as it stands: enough to see that it changed. Milliseconds with fractions; size in bytes. */
export type FileStamp = {
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly size: number
  readonly ino: number
}

/** A copy with the stamps of some of its files; undefined where there is no regular file of that name. */
export type Stamped<File extends string> = {
  readonly copy: Copy
  readonly stamps: Readonly<Record<File, FileStamp | undefined>>
}

/** A copy with the stamps of its managed files. */
export type StampedCopy = Stamped<ManagedFile>

/** Which copy each unit is read from (W17): decided apart, never mixed within a unit. */
export type Units = {
  /** Unit 1: `metadata.json`. */
  readonly metadata: StampedCopy | undefined
  /** Unit 2: `base_config.json` and `events.json` together. */
  readonly stream: StampedCopy | undefined
}

/** Looks at the files of a copy without opening them. Paths are put together by hand: a listing does it 60,000 times. */
export const stampCopy = (copy: Copy): StampedCopy => ({
  copy,
  stamps: {
    'metadata.json': stampOf(`${copy.directory}${sep}metadata.json`),
    'base_config.json': stampOf(`${copy.directory}${sep}base_config.json`),
    'events.json': stampOf(`${copy.directory}${sep}events.json`),
  },
})

/**
 * The stamp of a regular file; undefined for anything else. A link in a checkout counts as nothing (W32).
 * @throws JpError `file_unreadable`.
 */
export const stampOf = (path: string): FileStamp | undefined => {
  const stat = statOf(path)
  return stat?.isFile() === true ? stat : undefined
}

/**
 * Chooses the copy of each unit: the newer mtime wins, a tie goes to the user-local store (facts 2.7, FR-21).
 * @param copies the durable one first.
 */
export const chooseUnits = (copies: readonly StampedCopy[]): Units => ({
  metadata: chooseMetadata(copies),
  stream: newest(
    copies.filter((copy) => copy.stamps['events.json'] !== undefined),
    (copy) => [copy.stamps['events.json'], copy.stamps['base_config.json']],
    ['events.json', 'base_config.json'],
  ),
})

/** The first of the two, alone: as {@link chooseUnits}. */
export const chooseMetadata = <Seen extends Stamped<'metadata.json'>>(copies: readonly Seen[]): Seen | undefined =>
  newest(copies, (copy) => [copy.stamps['metadata.json']], ['metadata.json'])

const newest = <Seen extends {readonly copy: Copy}>(
  copies: readonly Seen[],
  stampsOf: (copy: Seen) => readonly (FileStamp | undefined)[],
  files: readonly ManagedFile[],
): Seen | undefined => {
  const time = (copy: Seen): number => Math.max(...stampsOf(copy).map((stamp) => stamp?.mtimeMs ?? -Infinity))
  let best: Seen | undefined
  for (const copy of copies) {
    if (time(copy) === -Infinity) continue
    if (best === undefined || time(copy) > time(best)) best = copy
    // The number of a stat is rounded to a quarter of a microsecond; the file system may know better.
    else if (time(copy) === time(best) && exactTime(copy, files) > exactTime(best, files)) best = copy
  }
  return best
}

const exactTime = (copy: {readonly copy: Copy}, files: readonly ManagedFile[]): bigint =>
  files
    .map((file) => lstatSync(join(copy.copy.directory, file), {bigint: true, throwIfNoEntry: false})?.mtimeNs ?? 0n)
    .reduce((left, right) => (left > right ? left : right))

/** Where a conversation exists (W17). */
export type Presence = 'user-local' | 'projected' | 'workspace'

/** The presence that copies come to. */
export const presenceOfCopies = (copies: readonly Copy[]): Presence => {
  const isDurable = copies.some((copy) => copy.root.place === 'silo')
  if (!isDurable) return 'workspace'
  return copies.some((copy) => copy.root.place === 'checkout') ? 'projected' : 'user-local'
}
