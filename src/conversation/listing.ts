import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {isLocked} from '../platform/lock.js'
import {lastRootOf, readMetadataText} from './conversation.js'
import {type Copy, readShelf} from './conversation-roots.js'
import {type ConversationEntry, type CorruptConversation, createEntry} from './entry.js'
import {countEvents} from './events-count.js'
import {type Located, placesOf, readSettled, unitCopy, type View, weigh} from './located.js'
import {parseMetadata} from './metadata.js'
import {presenceOf} from './units.js'

/** What a checkout's view holds, sorted by id. */
export type Listing = {
  readonly entries: readonly ConversationEntry[]
  readonly corrupt: readonly CorruptConversation[]
}

/** What a listing needs to know. */
export type ListingDeps = {
  readonly view: View
  lockPathOf(id: ConversationId): string
}

/** Reads every conversation of the view, live and archived. One that can't be read harms no other (W20). */
export const readListing = (deps: ListingDeps): Listing => {
  const shelves = deps.view.roots.flatMap((root) => [readShelf(root, false), readShelf(root, true)])
  const entries: ConversationEntry[] = []
  const corrupt: CorruptConversation[] = shelves
    .flatMap((shelf) => shelf.strays)
    .map(({directory}) => ({
      id: undefined,
      directory,
      reason: `${directory}: the folder's name does not begin with a conversation id.`,
    }))
  for (const copies of byId(shelves.flatMap((shelf) => shelf.copies))) {
    const found = readOne(deps, copies)
    if (found !== undefined) (isEntry(found) ? entries : corrupt).push(found as never)
  }
  return {entries, corrupt}
}

/** Every conversation of the view, located and unread, sorted by id. */
export function* locateAll(view: View, archived: boolean): Generator<Located> {
  const copies = view.roots.flatMap((root) => [...readShelf(root, false).copies, ...readShelf(root, true).copies])
  for (const group of byId(copies)) {
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
    return readEntry(deps.view, weigh(first.id, copies))
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    return secondLook(deps, first, error)
  }
}

/** The folder may have been renamed since the shelf was read: look again before calling it damaged. */
const secondLook = (
  deps: ListingDeps,
  copy: Copy,
  cause: JpError,
): ConversationEntry | CorruptConversation | undefined => {
  try {
    return readSettled(deps.view.roots, copy.id, (located) => readEntry(deps.view, located))
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    if (error.code === 'conversation_not_found') return undefined
    if (error.details['missing'] === true && isLocked(deps.lockPathOf(copy.id))) return undefined
    return {id: copy.id, directory: copy.directory, reason: (error ?? cause).message}
  }
}

/** @throws JpError as `readConversation`. */
export const readEntry = (view: View, located: Located): ConversationEntry => {
  const file = readMetadataText(located)
  const stream = unitCopy(located, 'stream')
  const events = stream.stamps['events.json']
  return createEntry({
    id: located.id,
    metadata: parseMetadata(file.text, file.path),
    eventsCount: countEvents(join(stream.copy.directory, 'events.json'), events?.size ?? 0),
    archived: unitCopy(located, 'metadata').copy.archived,
    presence: presenceOf(placesOf(located)),
    lastRoot: lastRootOf(view, located),
  })
}
