import type {ConversationId} from '../platform/id-grammar.js'
import type {LastRoot} from './local-metadata.js'
import type {ConversationMetadata} from './metadata.js'
import type {SessionId} from './session-id.js'
import {rfc3339OfStored} from './timestamp.js'
import type {Presence} from './units.js'

/** One conversation as `jp c ls --format json` and `list_conversations` give it (Q3, S26). Key order is part of it. */
export type ListedConversation = {
  readonly id: ConversationId
  readonly title: string | null
  /** RFC 3339 */
  readonly last_activated_at: string
  readonly pinned_at?: string
  /** Elements of the stream, configuration deltas included. */
  readonly events_count: number
  readonly last_root?: LastRoot
}

/** One conversation of a listing: what goes over the wire, and what only this machine needs. */
export type ConversationEntry = {
  readonly id: ConversationId
  readonly listed: ListedConversation
  readonly metadata: ConversationMetadata
  readonly archived: boolean
  readonly presence: Presence
  /** The session id that a caller gave it; undefined for the derived one (D31). */
  readonly sessionId: SessionId | undefined
}

/** A folder that holds no readable conversation (W20): reported, kept, skipped. */
export type CorruptConversation = {
  /** Undefined when the folder's name belongs to no conversation. */
  readonly id: ConversationId | undefined
  readonly directory: string
  /** What is wrong, with the file. */
  readonly reason: string
}

/** What a listing is made from. */
export type EntryParts = {
  readonly id: ConversationId
  readonly metadata: ConversationMetadata
  readonly eventsCount: number
  readonly archived: boolean
  readonly presence: Presence
  readonly lastRoot: LastRoot | undefined
  readonly sessionId: SessionId | undefined
}

/** Puts an entry together. */
export const createEntry = (parts: EntryParts): ConversationEntry => {
  const {id, metadata, archived, presence, sessionId} = parts
  return {id, listed: listedOf(parts), metadata, archived, presence, sessionId}
}

/** A listing does it ten thousand times: no object is made but the one that is given, and its parts once. */
const listedOf = ({id, metadata, eventsCount, lastRoot}: EntryParts): ListedConversation => {
  const title = metadata.title ?? null
  const last_activated_at = rfc3339OfStored(metadata.last_activated_at) ?? metadata.last_activated_at
  const pinned_at = metadata.pinned_at === undefined ? undefined : rfc3339OfStored(metadata.pinned_at)
  const listed =
    pinned_at === undefined
      ? {id, title, last_activated_at, events_count: eventsCount}
      : {id, title, last_activated_at, pinned_at, events_count: eventsCount}
  return lastRoot === undefined ? listed : {...listed, last_root: lastRoot}
}
