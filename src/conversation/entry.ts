import type {ConversationId} from '../platform/id-grammar.js'
import type {LastRoot} from './local-metadata.js'
import type {ConversationMetadata} from './metadata.js'
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
}

/** Puts an entry together. */
export const createEntry = (parts: EntryParts): ConversationEntry => {
  const {id, metadata} = parts
  const pinned = metadata.pinned_at === undefined ? undefined : rfc3339OfStored(metadata.pinned_at)
  return {
    id,
    listed: {
      id,
      title: metadata.title ?? null,
      last_activated_at: rfc3339OfStored(metadata.last_activated_at) ?? metadata.last_activated_at,
      ...(pinned === undefined ? {} : {pinned_at: pinned}),
      events_count: parts.eventsCount,
      ...(parts.lastRoot === undefined ? {} : {last_root: parts.lastRoot}),
    },
    metadata,
    archived: parts.archived,
    presence: parts.presence,
  }
}
