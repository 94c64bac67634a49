import {sep} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {readBytes} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {isLocked} from '../platform/lock.js'
import {atOnce, type Steps} from '../platform/steps.js'
import {readMetadataText} from './conversation.js'
import type {Copy} from './conversation-roots.js'
import {type ConversationEntry, type CorruptConversation, createEntry} from './entry.js'
import {countEvents, largeStreamBytes} from './events-file.js'
import {checkEvents} from './events-text.js'
import {type Known, type ListingMemory, type LookedFile, lookAt, type Remembered} from './listing-memory.js'
import {localMetadataName, noLocalFacts, readLocalFacts} from './local-metadata.js'
import {type Located, readSettled, unitCopy, type View, weigh, weighAnyway} from './located.js'
import {parseMetadata} from './metadata.js'
import {type Group, readShelves, type Shelves} from './shelves.js'
import {presenceOfCopies, type StampedCopy} from './units.js'

/** What a checkout's view holds, sorted by id. */
export type Listing = {
  readonly entries: readonly ConversationEntry[]
  readonly corrupt: readonly CorruptConversation[]
}

/** What a listing needs to know. */
export type ListingDeps = {
  readonly view: View
  readonly memory: ListingMemory
  /** What lies on the shelves of the view now. */
  shelves(): Steps<Shelves>
  lockPathOf(id: ConversationId): string
}

/** Reads every conversation of the view, live and archived, one a step. One that can't be read harms no other (W20). */
export function* readListing(given: ListingDeps): Steps<Listing> {
  const deps = {...given, view: lookingOnce(given.view)}
  const {groups, strays} = yield* deps.shelves()
  const entries: ConversationEntry[] = []
  const corrupt: CorruptConversation[] = strays.map(({directory}) => ({
    id: undefined,
    directory,
    reason: `${directory}: the folder's name does not begin with a conversation id.`,
  }))
  const known = yield* lookAtAll(deps.memory, groups)
  for (const [place, group] of groups.entries()) {
    const found = readOne(deps, group, known[place])
    if (found !== undefined) (isEntry(found) ? entries : corrupt).push(found as never)
    yield
  }
  deps.memory.settle(() => new Set(groups.map(({id}) => id)))
  return {entries, corrupt}
}

/** Every conversation of the view, located and unread, sorted by id. */
export function* locateAll(view: View, archived: boolean): Generator<Located> {
  for (const {id, copies} of atOnce(readShelves(view)).groups) {
    const located = weighAnyway(id, copies)
    if ((located.units.metadata ?? located.copies[0])?.copy.archived === archived) yield located
  }
}

const isEntry = (found: ConversationEntry | CorruptConversation): found is ConversationEntry => 'listed' in found

/**
 * Looks at all of them before anything is made of one: ten thousand looks leave much to be cleared away, and what is kept
 * would be moved about each time.
 */
function* lookAtAll(memory: ListingMemory, groups: readonly Group[]): Steps<readonly (Known | undefined)[]> {
  const known: (Known | undefined)[] = []
  for (const group of groups) {
    known.push(findKnown(memory, group))
    yield
  }
  return known
}

/** Copies on two shelves are looked at anew: which of them counts is for their times to say. */
const findKnown = (memory: ListingMemory, {id, copies}: Group): Known | undefined => {
  try {
    return isOnOneShelf(copies) ? memory.find(id, copies) : undefined
  } catch (error) {
    // Whoever reads it says what is in the way.
    if (!(error instanceof JpError)) throw error
    return undefined
  }
}

const isOnOneShelf = (copies: readonly Copy[]): boolean => {
  for (const {archived} of copies) if (archived !== copies[0]?.archived) return false
  return true
}

/** Undefined for what vanished meanwhile, and for what is being composed under its lock. */
const readOne = (
  deps: ListingDeps,
  group: Group,
  known: Known | undefined,
): ConversationEntry | CorruptConversation | undefined => {
  try {
    return entryOf(deps, group, known)
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    return secondLook(deps, group)
  }
}

/** The folder may have been renamed since the shelf was read: look again before calling it damaged. */
const secondLook = (deps: ListingDeps, {id, copies}: Group): ConversationEntry | CorruptConversation | undefined => {
  try {
    return readEntry(deps, id)
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    if (error.code === 'conversation_not_found') return undefined
    if (error.details['missing'] === true && isLocked(deps.lockPathOf(id))) return undefined
    return {id, directory: copies[0]?.directory ?? '', reason: error.message}
  }
}

/** From the memory where no file has changed, else from the files. @throws JpError as `readConversation`. */
const entryOf = (deps: ListingDeps, {id, copies}: Group, known: Known | undefined): ConversationEntry => {
  if (known !== undefined)
    return assemble(deps.view, known.read(), {id, copies, archived: copies[0]?.archived === true})
  const located = weigh(id, copies)
  // The stamps are older than what is read: a change in between shows at the next look.
  const looked = lookAt(located.copies)
  const read = readRemembered(located, looked)
  deps.memory.keep(id, looked, read)
  return assemble(deps.view, read, {id, copies, archived: unitCopy(located, 'metadata').copy.archived})
}

const assemble = (
  view: View,
  {metadata, eventsCount, lastRoot, sessionId}: Remembered,
  where: Group & {readonly archived: boolean},
): ConversationEntry =>
  createEntry({
    id: where.id,
    metadata,
    eventsCount,
    archived: where.archived,
    presence: presenceOfCopies(where.copies),
    lastRoot: lastRoot === undefined ? undefined : {...lastRoot, live: view.isLive(lastRoot.path)},
    sessionId,
  })

const readRemembered = (located: Located, looked: readonly LookedFile[]): Remembered => {
  const file = readMetadataText(located)
  const own = located.copies.find(({copy}) => copy.root.place === 'silo')
  const hasRecord = looked.some(({file, stamp}) => file === localMetadataName && stamp !== undefined)
  return {
    metadata: parseMetadata(file.text, file.path),
    ...readStream(located),
    ...(own === undefined || !hasRecord ? noLocalFacts : readLocalFacts(own.copy.directory)),
  }
}

/** Reads the stream once. A large one counts as different from any other: comparing costs more than a look at one file more. */
const readStream = (located: Located): Pick<Remembered, 'eventsCount' | 'isOneStream'> => {
  const stream = unitCopy(located, 'stream')
  const others = located.copies.filter((copy) => copy !== stream)
  const size = sizeOf(stream)
  const path = eventsPath(stream)
  if (size >= largeStreamBytes) return {eventsCount: countEvents(path, size), isOneStream: others.length === 0}
  const bytes = readBytes(path, {noFollow: true})
  return {
    eventsCount: checkEvents(bytes, path).length,
    isOneStream: others.every(
      (copy) => sizeOf(copy) === size && readBytes(eventsPath(copy), {noFollow: true}).equals(bytes),
    ),
  }
}

const sizeOf = ({stamps}: StampedCopy): number => stamps['events.json']?.size ?? 0

const eventsPath = ({copy}: StampedCopy): string => `${copy.directory}${sep}events.json`

/** One conversation as a listing has it. @throws JpError as `readConversation`. */
export const readEntry = (deps: ListingDeps, id: ConversationId): ConversationEntry =>
  readSettled(deps.view.roots, id, (located) => {
    const group = {id, copies: located.copies.map(({copy}) => copy)}
    return entryOf(deps, group, findKnown(deps.memory, group))
  })

/** A view that looks at each checkout once: for the length of one listing. */
const lookingOnce = (view: View): View => {
  const live = new Map<string, boolean>()
  const isLive = (root: string): boolean => {
    const known = live.get(root) ?? view.isLive(root)
    live.set(root, known)
    return known
  }
  return {roots: view.roots, isLive}
}
