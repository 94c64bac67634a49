import {statOf} from '../platform/file-stat.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {byPath, fromWithin} from '../platform/look-into.js'
import type {Steps} from '../platform/steps.js'
import {type ConversationRoot, type Copy, shelfOf} from './conversation-roots.js'
import type {ListingDeps} from './listing.js'
import {createListingIndex} from './listing-index.js'
import {type Known, type ListingMemory, restMs} from './listing-memory.js'
import {ifSeen, visitorOf} from './listing-sight.js'
import type {View} from './located.js'
import {openShelfMemory} from './shelf-memory.js'
import {readShelves, type Shelves} from './shelves.js'
import type {StoreDeps} from './store.js'

/**
 * How long one look at a conversation's folders stands for a look at each of its files. Unit: milliseconds.
 *
 * jp writes a file by renaming a new one into its place, which shows in the stamp of the folder: that is seen at once. What
 * another program writes into a file as it lies there does not show, and is seen after this time.
 */
const glanceMs = 100

/** How the listings of a view look at the disk. */
export type Looking = Pick<ListingDeps, 'memory' | 'shelves' | 'visitCopies'>

/**
 * At all of it, from within each shelf; with `elapsedMs` as far as a process needs to that has looked before, and that does
 * other work meanwhile.
 */
export const createLooking = (
  view: View,
  {indexFile, clock, elapsedMs}: Pick<StoreDeps, 'indexFile' | 'clock' | 'elapsedMs'>,
): Looking => {
  const wallMs = (): number => clock.nowMs()
  const visitCopies = visitorOf(view.roots, elapsedMs === undefined ? fromWithin : byPath)
  const memory = createListingIndex({path: indexFile, nowMs: wallMs, visitCopies})
  if (elapsedMs === undefined) return {memory, shelves: rememberedShelves(view, indexFile, wallMs), visitCopies}
  const shelves = glancingShelves(view.roots, () => readShelves(view), wallMs)
  return {memory: glancing(memory, {wallMs, elapsedMs}), shelves, visitCopies}
}

/** The names on the shelves are remembered beside the index. */
const rememberedShelves = (view: View, indexFile: string | undefined, wallMs: () => number): (() => Steps<Shelves>) => {
  if (indexFile === undefined) return () => readShelves(view)
  const memory = openShelfMemory(`${indexFile}.shelves`, wallMs)
  return function* shelvesNow() {
    const shelves = yield* readShelves(view, memory.list)
    memory.save()
    return shelves
  }
}

/** The folders of a conversation as they were when all of its files were looked at. */
type Glance = {
  readonly atMs: number
  readonly directories: readonly string[]
  readonly stamps: readonly number[]
  readonly known: Known
}

/**
 * A memory for a process that lists again and again (Q16): one look a conversation where a listing a moment ago has looked
 * at every file.
 * @param wallMs the time of the file system's own clock; `elapsedMs` a clock that never jumps.
 */
const glancing = (
  memory: ListingMemory,
  {wallMs, elapsedMs}: {readonly wallMs: () => number; readonly elapsedMs: () => number},
): ListingMemory => {
  const glances = new Map<ConversationId, Glance>()
  const find: ListingMemory['find'] = (id, copies) => {
    const atMs = elapsedMs()
    const last = glances.get(id)
    if (last !== undefined && atMs - last.atMs < glanceMs && isOf(last, copies)) {
      if (isUnchanged(last.stamps, last.directories)) return last.known
    }
    const directories = copies.map(({directory}) => directory)
    // Older than the look at the files: a change in between shows at the next glance.
    const stamps = stampsAtRest(directories, wallMs())
    const known = putTogether(memory.find(id, copies))
    if (known === undefined || stamps === undefined) glances.delete(id)
    else glances.set(id, {atMs, directories, stamps, known})
    return known
  }
  return {
    find,
    *findAll(groups) {
      const known: (Known | undefined)[] = []
      for (const {id, copies} of groups) {
        known.push(ifSeen(() => find(id, copies)))
        yield
      }
      return known
    },
    keep: (id, looked, read) => memory.keep(id, looked, read),
    settle: (seen) => memory.settle(seen),
  }
}

/** Once for all listings that follow. */
const putTogether = (known: Known | undefined): Known | undefined => {
  if (known === undefined) return undefined
  const read = known.read()
  return {read: () => read}
}

const isOf = ({directories}: Glance, copies: readonly Copy[]): boolean =>
  directories.length === copies.length && copies.every(({directory}, index) => directory === directories[index])

/**
 * The shelves of a view, for the same process: as they were while their own stamps stay. Whatever is put on a shelf, taken
 * off it or renamed changes its stamp.
 * @param read looks at all of them.
 */
const glancingShelves = (
  roots: readonly ConversationRoot[],
  read: () => Steps<Shelves>,
  wallMs: () => number,
): (() => Steps<Shelves>) => {
  const places = roots.flatMap((root) => [root.base, shelfOf(root, false), shelfOf(root, true)])
  let known: {readonly stamps: readonly number[]; readonly shelves: Shelves} | undefined
  return function* shelvesNow() {
    if (known !== undefined && isUnchanged(known.stamps, places)) return known.shelves
    const stamps = stampsAtRest(places, wallMs())
    const shelves = yield* read()
    known = stamps === undefined ? undefined : {stamps, shelves}
    return shelves
  }
}

const numbersAFolder = 3

/** Undefined where a folder has just changed: a second change may bear the same time. What is not there has zeros. */
const stampsAtRest = (directories: readonly string[], wallMs: number): readonly number[] | undefined => {
  const stamps: number[] = []
  for (const directory of directories) {
    const stamp = statOf(directory)
    if (stamp !== undefined && stamp.ctimeMs > wallMs - restMs) return undefined
    stamps.push(stamp?.ctimeMs ?? 0, stamp?.mtimeMs ?? 0, stamp?.ino ?? 0)
  }
  return stamps
}

const isUnchanged = (stamps: readonly number[], directories: readonly string[]): boolean => {
  if (stamps.length !== directories.length * numbersAFolder) return false
  let at = 0
  for (const directory of directories) {
    const stamp = statOf(directory)
    const isSame =
      stamps[at] === (stamp?.ctimeMs ?? 0) &&
      stamps[at + 1] === (stamp?.mtimeMs ?? 0) &&
      stamps[at + 2] === (stamp?.ino ?? 0)
    if (!isSame) return false
    at += numbersAFolder
  }
  return true
}
