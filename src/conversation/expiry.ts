import type {ConversationId} from '../platform/id-grammar.js'
import type {Drafts} from './drafts.js'
import type {ConversationEntry} from './entry.js'
import {momentOfStored} from './timestamp.js'

/** What decides whether a conversation may go. */
export type ExpiryScene = {
  readonly nowMs: number
  /** The active conversations of every session on this machine (facts 2.9). */
  readonly active: ReadonlySet<ConversationId>
  readonly drafts: Pick<Drafts, 'read'>
}

/** True when its time is over. Whether it may go is for {@link expiredOf} to say. */
export const isExpired = ({metadata}: ConversationEntry, nowMs: number): boolean => {
  const at = metadata.expires_at === undefined ? undefined : momentOfStored(metadata.expires_at)
  return at !== undefined && at <= nowMs
}

/** The temporary conversations that may go: their time is over, no session has them active, and no draft waits in them. */
export const expiredOf = (entries: readonly ConversationEntry[], scene: ExpiryScene): readonly ConversationEntry[] =>
  entries.filter(
    (entry) =>
      isExpired(entry, scene.nowMs) && !scene.active.has(entry.id) && scene.drafts.read(entry.id) === undefined,
  )
