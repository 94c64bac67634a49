import {sep} from 'node:path'
import type {ConversationId} from '../platform/id-grammar.js'
import type {Copy} from './conversation-roots.js'
import {type LocalFacts, localMetadataName} from './local-metadata.js'
import type {ConversationMetadata} from './metadata.js'
import {type FileStamp, type ManagedFile, managedFiles, type StampedCopy, stampOf} from './units.js'

/** What a listing takes from a conversation's files. Where its copies lie is looked at each time. */
export type Remembered = LocalFacts & {
  readonly metadata: ConversationMetadata
  readonly eventsCount: number
  /** Every copy holds the same stream, so that it makes no difference to a listing which of them counts. */
  readonly isOneStream: boolean
}

/** A conversation whose files are as they were. What is remembered of it is put together when it is asked for. */
export type Known = {read(this: void): Remembered}

/**
 * What listings remember between looks (S30): only for files whose stamps are the very same, so it is never a truth. A
 * file that is replaced gets another inode, and one that is written in place another ctime.
 */
export interface ListingMemory {
  /** Looks at the files of these copies; undefined for a conversation that is not known, or not as it was. */
  find(id: ConversationId, copies: readonly Copy[]): Known | undefined
  /** Keeps what was read. Files that changed a moment ago are not kept: a second change may bear the same time. */
  keep(id: ConversationId, looked: readonly LookedFile[], read: Remembered): void
  /** A listing has ended that saw these conversations; the others are forgotten when it is worth it. */
  settle(seen: () => ReadonlySet<ConversationId>): void
}

/** How long a file must have been left alone before its stamp tells it from a later state. Unit: milliseconds. */
export const restMs = 2000

/**
 * The files of a copy that a listing depends on. A base configuration is never read; its time matters where two
 * different streams compete, and there alone. The record of where it last ran stands beside the durable copy.
 */
const filesOf = ({root: {place}}: Copy, isOneStream: boolean): readonly ListedFile[] =>
  place === 'silo' ? (isOneStream ? durableFiles : competingDurableFiles) : isOneStream ? projectedFiles : managedFiles

type ListedFile = ManagedFile | typeof localMetadataName

const projectedFiles = ['metadata.json', 'events.json'] as const
const durableFiles = [...projectedFiles, localMetadataName] as const
const competingDurableFiles = [...managedFiles, localMetadataName] as const

/** A file as it was before it was read. */
export type LookedFile = {readonly file: ListedFile; readonly stamp: FileStamp | undefined}

/** The stamps of all files that a listing may depend on, in the order in which they are compared. */
export const lookAt = (copies: readonly StampedCopy[]): readonly LookedFile[] =>
  copies.flatMap(({copy, stamps}) =>
    filesOf(copy, false).map((file) => ({
      file,
      stamp: file === localMetadataName ? stampOf(`${copy.directory}${sep}${file}`) : stamps[file],
    })),
  )

/** What was read, with the stamps of its files wherever they are kept: `length` numbers from `from` on. */
export type Row = Known & {
  readonly stamps: ArrayLike<number>
  readonly from: number
  readonly length: number
  readonly isOneStream: boolean
}

const numbersAFile = 3

/** A row of a conversation; undefined when one of its files was not left alone long enough. */
export const rowOf = (looked: readonly LookedFile[], read: Remembered, nowMs: number): Row | undefined => {
  const stamps: number[] = []
  for (const {file, stamp} of looked) {
    if (read.isOneStream && file === 'base_config.json') continue
    if (stamp !== undefined && stamp.ctimeMs > nowMs - restMs) return undefined
    stamps.push(stamp?.ctimeMs ?? 0, stamp?.ino ?? 0, stamp?.size ?? -1)
  }
  return {stamps, from: 0, length: stamps.length, isOneStream: read.isOneStream, read: () => read}
}

/**
 * True when the files of these copies are those that a row was made of. Makes nothing of what it looks at: a listing does
 * it for tens of thousands of files.
 */
export const isUnchanged = ({stamps, from, length, isOneStream}: Row, copies: readonly Copy[]): boolean => {
  const end = from + length
  let at = from
  for (const copy of copies) {
    for (const file of filesOf(copy, isOneStream)) {
      if (at === end) return false
      const stamp = stampOf(`${copy.directory}${sep}${file}`)
      const isSame =
        stamp === undefined
          ? stamps[at + 2] === -1
          : stamps[at] === stamp.ctimeMs && stamps[at + 1] === stamp.ino && stamps[at + 2] === stamp.size
      if (!isSame) return false
      at += numbersAFile
    }
  }
  return at === end
}
