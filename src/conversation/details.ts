import {rfc3339} from '../platform/clock.js'
import {decisecondsOf} from '../platform/id-grammar.js'
import type {LockHolder} from '../platform/lock.js'
import type {ConversationPaths} from './conversation.js'
import type {ConversationEntry, ListedConversation} from './entry.js'
import {rfc3339OfStored} from './timestamp.js'
import type {Presence} from './units.js'

/** One conversation as `jp c show --format json` gives it: the fields of the listing, and more (Q3). */
export type ConversationDetails = ListedConversation & {
  /** RFC 3339, like every time here. */
  readonly created_at: string
  readonly archived_at?: string
  readonly expires_at?: string
  readonly labels: Readonly<Record<string, string>>
  readonly presence: Presence
  /** Its user-local folder, or the one in the checkout where there is no other. */
  readonly path: string
  /** Who works on it now. */
  readonly lock?: LockHolder
}

/** Puts the details of a conversation together. */
export const detailsOf = (
  entry: ConversationEntry,
  paths: ConversationPaths,
  lock: LockHolder | undefined,
): ConversationDetails => {
  const {metadata, listed, presence} = entry
  const archived = metadata.archived_at === undefined ? undefined : rfc3339OfStored(metadata.archived_at)
  const expires = metadata.expires_at === undefined ? undefined : rfc3339OfStored(metadata.expires_at)
  return {
    ...listed,
    created_at: rfc3339(decisecondsOf(entry.id) * 100),
    ...(archived === undefined ? {} : {archived_at: archived}),
    ...(expires === undefined ? {} : {expires_at: expires}),
    labels: metadata.labels,
    presence,
    path: paths.directory,
    ...(lock === undefined ? {} : {lock}),
  }
}
