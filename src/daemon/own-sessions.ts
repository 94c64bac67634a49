import type {ConversationEntry} from '../conversation/entry.js'
import type {SessionId} from '../conversation/session-id.js'
import type {ConversationStore} from '../conversation/store.js'
import {hasCode} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {decisecondsOf} from '../platform/id-grammar.js'
import type {Checkout} from '../workspace/checkout.js'
import type {StoredSession, StoredSessions} from './stored-sessions.js'

/** What the stored sessions of jp's own agent stand on. */
export type OwnSessionsDeps = {
  readonly checkout: Checkout
  /** The conversations of the checkout, as they stand now. */
  readonly openStore: () => ConversationStore
  /** Conversations without a record of where they last ran are this runtime's: it is the first of its workspace (D31). */
  readonly ownsUnrecorded: boolean
}

/** The conversations of a checkout as sessions: those that last ran in it (D31). jp's agent stores them; nothing is written here. */
export const createOwnSessions = ({checkout, openStore, ownsUnrecorded}: OwnSessionsDeps): StoredSessions => {
  const isOwn = ({listed}: ConversationEntry): boolean => {
    const path = listed.last_root?.path
    return path === undefined ? ownsUnrecorded : (canonicalIfPresent(path) ?? path) === checkout.root
  }
  const asStored = (store: ConversationStore, entry: ConversationEntry): StoredSession => {
    const id = store.sessionOf(checkout.id, entry.id)
    return {
      id,
      agentSessionId: id,
      title: entry.listed.title ?? undefined,
      createdAtMs: decisecondsOf(entry.id) * 100,
      updatedAtMs: Date.parse(entry.listed.last_activated_at),
      isArchived: entry.archived,
      ...(entry.listed.pinned_at === undefined ? {} : {pinnedAtMs: Date.parse(entry.listed.pinned_at)}),
    }
  }
  return {
    async list(archived) {
      const store = openStore()
      return store
        .list({archived})
        .entries.filter(isOwn)
        .map((entry) => asStored(store, entry))
    },
    async find(id: SessionId) {
      const store = openStore()
      const conversation = store.findSession(checkout.id, id)
      const entry = conversation === undefined ? undefined : findEntry(store, conversation)
      return entry === undefined || !isOwn(entry) ? undefined : asStored(store, entry)
    },
    remember: () => undefined,
  }
}

/** One that vanished meanwhile, or that is damaged, is none that could be restored. */
const findEntry = (
  store: ConversationStore,
  id: Parameters<ConversationStore['find']>[0],
): ConversationEntry | undefined => {
  try {
    return store.find(id)
  } catch (error) {
    if (hasCode(error, 'conversation_corrupt', 'conversation_not_found')) return undefined
    throw error
  }
}
