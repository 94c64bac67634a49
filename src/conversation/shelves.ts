import type {ConversationId} from '../platform/id-grammar.js'
import type {Steps} from '../platform/steps.js'
import {type Copy, foldersOn, readShelf, type Shelf, type StrayDirectory} from './conversation-roots.js'
import type {View} from './located.js'

/** What lies on the shelves of a view, unread: the copies of each conversation together, sorted by id. */
export type Shelves = {
  readonly groups: readonly Group[]
  readonly strays: readonly StrayDirectory[]
}

/** The copies of one conversation, the durable one first. */
export type Group = {readonly id: ConversationId; readonly copies: readonly Copy[]}

/** Looks at the shelves of a view, one a step. @param list as `foldersOn`. @throws JpError as `readShelf`. */
export function* readShelves({roots}: Pick<View, 'roots'>, list = foldersOn): Steps<Shelves> {
  const shelves: Shelf[] = []
  for (const root of roots) {
    for (const archived of [false, true]) {
      shelves.push(readShelf(root, archived, list))
      yield
    }
  }
  return {groups: byId(shelves.flatMap(({copies}) => copies)), strays: shelves.flatMap(({strays}) => strays)}
}

/** Copies of one conversation together, the durable one first, sorted by id. Each shelf has come sorted, or nearly. */
const byId = (copies: readonly Copy[]): readonly Group[] => {
  const groups: {id: ConversationId; copies: readonly Copy[]}[] = []
  let last: {id: ConversationId; copies: readonly Copy[]} | undefined
  for (const copy of copies.toSorted((left, right) => compareIds(left.id, right.id))) {
    if (last?.id === copy.id) last.copies = [...last.copies, copy]
    else groups.push((last = {id: copy.id, copies: [copy]}))
  }
  return groups
}

/** Sorts ids by the time in them. */
const compareIds = (left: ConversationId, right: ConversationId): number =>
  left.length - right.length || (left < right ? -1 : left > right ? 1 : 0)
