import {JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {isLocked} from '../platform/lock.js'
import {atOnce, type Steps} from '../platform/steps.js'
import type {Copy} from './conversation-roots.js'
import {type ConversationEntry, type CorruptConversation, createEntry} from './entry.js'
import type {Known, ListingMemory, Remembered} from './listing-memory.js'
import {readForListing} from './listing-read.js'
import {ifSeen, type Sighted, type SightedCopy, sight, sightAll, type VisitCopies} from './listing-sight.js'
import {type Located, readSettled, type View, weighAnyway} from './located.js'
import {type Group, readShelves, type Shelves} from './shelves.js'
import {presenceOfCopies} from './units.js'

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
  readonly visitCopies: VisitCopies
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
  // All are looked at before anything is made of one: ten thousand looks leave much to be cleared away, and what is kept
  // would be moved about each time.
  const looked = yield* deps.memory.findAll(groups)
  const known = looked.map((row, place) => (isOnOneShelf(groups[place]?.copies) ? row : undefined))
  const unknown = readAll(
    deps,
    groups.filter((_, place) => known[place] === undefined),
  )
  for (const [place, group] of groups.entries()) {
    const row = known[place]
    const found = row === undefined ? unknown.next().value : recalled(deps.view, row, group)
    if (found !== undefined) (isEntry(found) ? entries : corrupt).push(found as never)
    yield
  }
  deps.memory.settle(() => new Set(groups.map(({id}) => id)))
  return {entries, corrupt}
}

/** Undefined for what vanished meanwhile, and for what is being composed under its lock. */
type Found = ConversationEntry | CorruptConversation | undefined

/** How many are looked at before the first of them is read. */
const batchSize = 256

function* readAll(deps: ListingDeps, groups: readonly Group[]): Generator<Found, undefined> {
  for (let start = 0; start < groups.length; start += batchSize) {
    const batch = groups.slice(start, start + batchSize)
    const sighted = sightAll(batch, deps.visitCopies)
    for (const [place, group] of batch.entries()) yield readOne(deps, group, sighted[place])
  }
}

/** Every conversation of the view, located and unread, sorted by id. */
export function* locateAll(view: View, archived: boolean): Generator<Located> {
  for (const {id, copies} of atOnce(readShelves(view)).groups) {
    const located = weighAnyway(id, copies)
    if ((located.units.metadata ?? located.copies[0])?.copy.archived === archived) yield located
  }
}

const isEntry = (found: ConversationEntry | CorruptConversation): found is ConversationEntry => 'listed' in found

/** Copies on two shelves are looked at anew: which of them counts is for their times to say. */
const isOnOneShelf = (copies: readonly Copy[] = []): boolean => {
  for (const {archived} of copies) if (archived !== copies[0]?.archived) return false
  return true
}

const readOne = (deps: ListingDeps, group: Group, sighted: Sighted): Found =>
  (sighted === undefined ? undefined : ifSeen(() => readNow(deps, group, sighted))) ?? secondLook(deps, group)

/** The folder may have been renamed since the shelf was read: look again before calling it damaged. */
const secondLook = (deps: ListingDeps, {id, copies}: Group): Found => {
  try {
    return readEntry(deps, id)
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    if (error.code === 'conversation_not_found') return undefined
    if (error.details['missing'] === true && isLocked(deps.lockPathOf(id))) return undefined
    return {id, directory: copies[0]?.directory ?? '', reason: error.message}
  }
}

/** Reads a conversation, and remembers it. @throws JpError as `readConversation`. */
const readNow = (deps: ListingDeps, group: Group, sighted: readonly SightedCopy[]): ConversationEntry => {
  const {read, looked, archived} = readForListing(group.id, sighted)
  deps.memory.keep(group.id, looked, read)
  return assemble(deps.view, read, {...group, archived})
}

/** From the memory. */
const recalled = (view: View, known: Known, {id, copies}: Group): ConversationEntry =>
  assemble(view, known.read(), {id, copies, archived: copies[0]?.archived === true})

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

/** One conversation as a listing has it. @throws JpError as `readConversation`. */
export const readEntry = (deps: ListingDeps, id: ConversationId): ConversationEntry =>
  readSettled(deps.view.roots, id, (located) => {
    const group = {id, copies: located.copies.map(({copy}) => copy)}
    const known = isOnOneShelf(group.copies) ? deps.memory.find(id, group.copies) : undefined
    return known === undefined
      ? readNow(
          deps,
          group,
          group.copies.map((copy) => sight(copy, copy.directory)),
        )
      : recalled(deps.view, known, group)
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
