import {sep} from 'node:path'
import type {ConversationId} from '../platform/id-grammar.js'
import type {Copy} from './conversation-roots.js'
import {type LastRootRecord, localMetadataName} from './local-metadata.js'
import type {ConversationMetadata} from './metadata.js'
import {type FileStamp, type ManagedFile, managedFiles, type StampedCopy, stampOf} from './units.js'

/** What a listing takes from a conversation's files. Where its copies lie is looked at each time. */
export type Remembered = {
  readonly metadata: ConversationMetadata
  readonly eventsCount: number
  readonly lastRoot: LastRootRecord | undefined
}

/** The stamps of all files that a listing reads of one conversation, as numbers to compare. */
export type Stamps = readonly number[]

/**
 * What listings remember between looks (S30): only for files whose stamps are the very same, so it is never a truth. A
 * file that is replaced gets another inode, and one that is written in place another ctime.
 */
export interface ListingMemory {
  /** False for a conversation that was not seen yet: there is nothing to compare with. */
  knows(id: ConversationId): boolean
  find(id: ConversationId, stamps: Stamps): Remembered | undefined
  /** Keeps what was read. Files that changed a moment ago are not kept: a second change may bear the same time. */
  keep(id: ConversationId, stamps: Stamps, read: Remembered): void
  /** A listing has ended that saw these conversations; the others are forgotten when it is worth it. */
  settle(seen: () => ReadonlySet<ConversationId>): void
}

/** How long a file must have been left alone before its stamp tells it from a later state. Unit: milliseconds. */
export const restMs = 2000

const numbersAFile = 3

/**
 * The files of a copy that a listing depends on. A base configuration is never read; its time matters where two copies
 * compete, and there alone. The record of where it last ran stands beside the durable copy.
 */
const filesOf = ({root: {place}}: Copy, isAlone: boolean): readonly string[] =>
  place === 'silo' ? (isAlone ? durableAlone : durableFiles) : isAlone ? projectedAlone : managedFiles

const projectedAlone = ['metadata.json', 'events.json'] as const
const durableAlone = [...projectedAlone, localMetadataName] as const
const durableFiles = [...managedFiles, localMetadataName] as const

/**
 * The stamps of a conversation's files. Nothing else is made of what is looked at: a listing of thousands must not keep
 * thousands of objects.
 */
export const stampsOf = (copies: readonly Copy[]): Stamps => {
  const numbers: number[] = []
  for (const copy of copies)
    for (const file of filesOf(copy, copies.length === 1)) push(numbers, stampOf(`${copy.directory}${sep}${file}`))
  return numbers
}

/** As {@link stampsOf}, of copies that have been looked at already. */
export const stampsOfLooked = (copies: readonly StampedCopy[]): Stamps => {
  const numbers: number[] = []
  for (const {copy, stamps} of copies) {
    for (const file of filesOf(copy, copies.length === 1))
      push(numbers, isManaged(file) ? stamps[file] : stampOf(`${copy.directory}${sep}${file}`))
  }
  return numbers
}

const isManaged = (file: string): file is ManagedFile => file in managed
const managed: Readonly<Record<ManagedFile, true>> = {
  'metadata.json': true,
  'base_config.json': true,
  'events.json': true,
}

const push = (numbers: number[], stamp: FileStamp | undefined): void => {
  if (stamp === undefined) numbers.push(0, 0, -1)
  else numbers.push(stamp.ctimeMs, stamp.ino, stamp.size)
}

/** True when every file was left alone long enough. */
export const isAtRest = (stamps: Stamps, nowMs: number): boolean => {
  for (let index = 0; index < stamps.length; index += numbersAFile)
    if ((stamps[index] ?? 0) > nowMs - restMs) return false
  return true
}

/** Stamps and what was read, wherever they are kept. */
export type Row = {
  readonly stamps: ArrayLike<number>
  readonly from: number
  readonly length: number
  readonly read: Remembered
}

/** True when a row was made of files with exactly these stamps. */
export const isSame = (row: Row, stamps: Stamps): boolean => {
  if (row.length !== stamps.length) return false
  for (let index = 0; index < stamps.length; index++) if (row.stamps[row.from + index] !== stamps[index]) return false
  return true
}
