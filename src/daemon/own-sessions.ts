import type {ConversationEntry} from '../conversation/entry.js'
import type {SessionId} from '../conversation/session-id.js'
import {sessionOfEntry} from '../conversation/sessions.js'
import type {ConversationStore} from '../conversation/store.js'
import {hasCode} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {decisecondsOf} from '../platform/id-grammar.js'
import {inSlices, type Steps} from '../platform/steps.js'
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

/**
 * The conversations of a checkout as sessions: those that last ran in it (D31). jp's agent stores them; nothing is written
 * here. A large store is read in slices, so that other sessions go on.
 */
export const createOwnSessions = ({checkout, openStore, ownsUnrecorded}: OwnSessionsDeps): StoredSessions => {
  /** Asks the file system once about each place, for the length of one listing. */
  const ownership = (): ((entry: ConversationEntry) => boolean) => {
    const known = new Map<string, boolean>()
    return ({listed}) => {
      const path = listed.last_root?.path
      if (path === undefined) return ownsUnrecorded
      const isOwn = known.get(path) ?? (canonicalIfPresent(path) ?? path) === checkout.root
      known.set(path, isOwn)
      return isOwn
    }
  }
  function* listOwn(archived: boolean): Steps<readonly StoredSession[]> {
    const {entries} = yield* openStore().listInSteps({archived})
    const isOwn = ownership()
    const own: StoredSession[] = []
    for (const entry of entries) {
      if (isOwn(entry)) own.push(asStored(checkout, entry))
      yield
    }
    return own
  }
  return {
    list: (archived) => inSlices(listOwn(archived)),
    async find(id: SessionId) {
      const store = openStore()
      const conversation = await inSlices(store.findSession(checkout.id, id))
      const entry = conversation === undefined ? undefined : findEntry(store, conversation)
      return entry === undefined || !ownership()(entry) ? undefined : asStored(checkout, entry)
    },
    remember: () => undefined,
  }
}

const asStored = (checkout: Checkout, entry: ConversationEntry): StoredSession => {
  const id = sessionOfEntry(checkout.id, entry)
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
