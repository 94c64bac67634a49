import {sep} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {readBytes} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {isLocked} from '../platform/lock.js'
import {atOnce, type Steps} from '../platform/steps.js'
import {readMetadataText} from './conversation.js'
import {type Copy, readShelf, type Shelf, type StrayDirectory} from './conversation-roots.js'
import {type ConversationEntry, type CorruptConversation, createEntry} from './entry.js'
import {countEvents, largeStreamBytes} from './events-file.js'
import {type ListingMemory, type LookedFile, lookAt, type Remembered} from './listing-memory.js'
import {localMetadataName, noLocalFacts, readLocalFacts} from './local-metadata.js'
import {type Located, readSettled, unitCopy, type View, weigh} from './located.js'
import {parseMetadata} from './metadata.js'
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

/** What lies on the shelves of a view, unread: the copies of each conversation together, sorted by id. */
export type Shelves = {
  readonly groups: readonly (readonly Copy[])[]
  readonly strays: readonly StrayDirectory[]
}

/** Looks at the shelves of a view, one a step. @throws JpError as `readShelf`. */
export function* readShelves({roots}: Pick<View, 'roots'>): Steps<Shelves> {
  const shelves: Shelf[] = []
  for (const root of roots) {
    for (const archived of [false, true]) {
      shelves.push(readShelf(root, archived))
      yield
    }
  }
  return {groups: byId(shelves.flatMap(({copies}) => copies)), strays: shelves.flatMap(({strays}) => strays)}
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
  for (const copies of groups) {
    const found = readOne(deps, copies)
    if (found !== undefined) (isEntry(found) ? entries : corrupt).push(found as never)
    yield
  }
  deps.memory.settle(() => new Set(groups.flatMap(([first]) => first?.id ?? [])))
  return {entries, corrupt}
}

/** Every conversation of the view, located and unread, sorted by id. */
export function* locateAll(view: View, archived: boolean): Generator<Located> {
  for (const group of atOnce(readShelves(view)).groups) {
    const [first] = group
    if (first === undefined) continue
    const located = weigh(first.id, group)
    if ((located.units.metadata ?? located.copies[0])?.copy.archived === archived) yield located
  }
}

const isEntry = (found: ConversationEntry | CorruptConversation): found is ConversationEntry => 'listed' in found

/** Copies of one conversation together, sorted by id. */
const byId = (copies: readonly Copy[]): readonly (readonly Copy[])[] => {
  const groups = new Map<ConversationId, Copy[]>()
  for (const copy of copies) {
    const group = groups.get(copy.id)
    if (group === undefined) groups.set(copy.id, [copy])
    else group.push(copy)
  }
  return [...groups].sort(([left], [right]) => compareIds(left, right)).map(([, group]) => group)
}

/** Sorts ids by the time in them. */
export const compareIds = (left: ConversationId, right: ConversationId): number =>
  left.length - right.length || (left < right ? -1 : left > right ? 1 : 0)

/** Undefined for what vanished meanwhile, and for what is being composed under its lock. */
const readOne = (deps: ListingDeps, copies: readonly Copy[]): ConversationEntry | CorruptConversation | undefined => {
  const [first] = copies
  if (first === undefined) return undefined
  try {
    return entryOf(deps, first.id, copies)
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    return secondLook(deps, first)
  }
}

/** The folder may have been renamed since the shelf was read: look again before calling it damaged. */
const secondLook = (deps: ListingDeps, copy: Copy): ConversationEntry | CorruptConversation | undefined => {
  try {
    return readSettled(deps.view.roots, copy.id, (located) =>
      entryOf(
        deps,
        located.id,
        located.copies.map(({copy}) => copy),
      ),
    )
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    if (error.code === 'conversation_not_found') return undefined
    if (error.details['missing'] === true && isLocked(deps.lockPathOf(copy.id))) return undefined
    return {id: copy.id, directory: copy.directory, reason: error.message}
  }
}

/** From the memory where no file has changed, else from the files. @throws JpError as `readConversation`. */
const entryOf = (deps: ListingDeps, id: ConversationId, copies: readonly Copy[]): ConversationEntry => {
  const known = deps.memory.find(id, copies)
  const [first] = copies
  // Copies on two shelves: which of them counts is for their times to say.
  const isOnOneShelf = copies.every((copy) => copy.archived === first?.archived)
  if (known !== undefined && isOnOneShelf)
    return assemble(deps.view, known, {id, copies, archived: first?.archived === true})
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
  where: {readonly id: ConversationId; readonly copies: readonly Copy[]; readonly archived: boolean},
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
  const stream = unitCopy(located, 'stream')
  const own = located.copies.find(({copy}) => copy.root.place === 'silo')
  const hasRecord = looked.some(({file, stamp}) => file === localMetadataName && stamp !== undefined)
  return {
    metadata: parseMetadata(file.text, file.path),
    eventsCount: countEvents(eventsPath(stream), stream.stamps['events.json']?.size ?? 0),
    ...(own === undefined || !hasRecord ? noLocalFacts : readLocalFacts(own.copy.directory)),
    isOneStream: located.copies.every((copy) => copy === stream || isSameStream(copy, stream)),
  }
}

const eventsPath = ({copy}: StampedCopy): string => `${copy.directory}${sep}events.json`

/** Large ones count as different: comparing them costs more than looking at one file more at each listing. */
const isSameStream = (left: StampedCopy, right: StampedCopy): boolean => {
  const size = left.stamps['events.json']?.size
  if (size === undefined || size >= largeStreamBytes || size !== right.stamps['events.json']?.size) return false
  return readBytes(eventsPath(left), {noFollow: true}).equals(readBytes(eventsPath(right), {noFollow: true}))
}

/** One conversation as a listing has it. @throws JpError as `readConversation`. */
export const readEntry = (deps: ListingDeps, id: ConversationId): ConversationEntry =>
  readSettled(deps.view.roots, id, (located) =>
    entryOf(
      deps,
      located.id,
      located.copies.map(({copy}) => copy),
    ),
  )

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
