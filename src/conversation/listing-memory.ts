import {sep} from 'node:path'
import type {ConversationId} from '../platform/id-grammar.js'
import type {Steps} from '../platform/steps.js'
import type {Copy} from './conversation-roots.js'
import {filesOf, ifSeen, type ListedFile, type VisitCopies} from './listing-sight.js'
import type {LocalFacts} from './local-metadata.js'
import type {ConversationMetadata} from './metadata.js'
import type {Group} from './shelves.js'
import {type FileStamp, type Stamped, stampOf} from './units.js'

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
  /**
   * Looks at the files of these copies; undefined for a conversation that is not known, or not as it was.
   * @throws JpError `file_unreadable`.
   */
  find(id: ConversationId, copies: readonly Copy[]): Known | undefined
  /** As `find`, of all conversations of a listing, each at its place; undefined also for what can't be looked at. */
  findAll(groups: readonly Group[]): Steps<readonly (Known | undefined)[]>
  /** Keeps what was read. Files that changed a moment ago are not kept: a second change may bear the same time. */
  keep(id: ConversationId, looked: readonly LookedFile[], read: Remembered): void
  /** A listing has ended that saw these conversations; the others are forgotten when it is worth it. */
  settle(seen: () => ReadonlySet<ConversationId>): void
}

/** How long a file must have been left alone before its stamp tells it from a later state. Unit: milliseconds. */
export const restMs = 2000

/** A file as it was before it was read. */
export type LookedFile = {readonly file: ListedFile; readonly stamp: FileStamp | undefined}

/** What a listing depends on, in the order in which stamps are compared. */
export const lookedAt = (
  copies: readonly {readonly copy: Copy; readonly stamps: Partial<Stamped<ListedFile>['stamps']>}[],
  isOneStream: boolean,
): readonly LookedFile[] =>
  copies.flatMap(({copy, stamps}) => filesOf(copy, isOneStream).map((file) => ({file, stamp: stamps[file]})))

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
  for (const {stamp} of looked) {
    if (stamp !== undefined && stamp.ctimeMs > nowMs - restMs) return undefined
    stamps.push(stamp?.ctimeMs ?? 0, stamp?.ino ?? 0, stamp?.size ?? -1)
  }
  return {stamps, from: 0, length: stamps.length, isOneStream: read.isOneStream, read: () => read}
}

/** True when the files of these copies are those that a row was made of. @throws JpError `file_unreadable`. */
export const isUnchanged = (row: Row, copies: readonly Copy[]): boolean => {
  let at = row.from
  for (const copy of copies) {
    at = endOfUnchanged(row, at, copy, copy.directory)
    if (at === changed) return false
  }
  return at === row.from + row.length
}

const changed = -1

/**
 * Looks at the files of one copy, whose stamps begin at `at`: gives where those of the next copy begin, or `changed`. Makes
 * nothing of what it looks at: a listing does it for tens of thousands of files.
 */
const endOfUnchanged = (
  {stamps, from, length, isOneStream}: Row,
  at: number,
  copy: Copy,
  directory: string,
): number => {
  const end = from + length
  let next = at
  for (const file of filesOf(copy, isOneStream)) {
    if (next === end) return changed
    const stamp = stampOf(`${directory}${sep}${file}`)
    const isSame =
      stamp === undefined
        ? stamps[next + 2] === -1
        : stamps[next] === stamp.ctimeMs && stamps[next + 1] === stamp.ino && stamps[next + 2] === stamp.size
    if (!isSame) return changed
    next += numbersAFile
  }
  return next
}

/**
 * The rows whose conversations are as they were, each at its place; undefined elsewhere. A copy that can't be looked at is
 * not as it was: whoever reads it says what is in the way.
 */
export const unchangedAmong = (
  rows: readonly (Row | undefined)[],
  groups: readonly Group[],
  visitCopies: VisitCopies,
): readonly (Row | undefined)[] => {
  const ends = rows.map((row) => row?.from ?? changed)
  visitCopies(groups, (place, copy, directory) => {
    const row = rows[place]
    const at = ends[place] ?? changed
    if (row === undefined || at === changed) return
    ends[place] = ifSeen(() => endOfUnchanged(row, at, copy, directory)) ?? changed
  })
  return rows.map((row, place) => (row !== undefined && ends[place] === row.from + row.length ? row : undefined))
}
