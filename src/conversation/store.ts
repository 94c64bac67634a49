import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {type Clock, rfc3339} from '../platform/clock.js'
import {sweepTemporaries} from '../platform/files.js'
import {type ConversationId, conversationIdOf, decisecondsOf, type WorkspaceId} from '../platform/id-grammar.js'
import {type HeldLock, isLocked, type LockHolder, readHolder, tryLock} from '../platform/lock.js'
import {
  type Conversation,
  type ConversationPaths,
  type ConversationStream,
  openStream,
  pathsOf,
  readConversation,
} from './conversation.js'
import {conversationRoots} from './conversation-roots.js'
import type {ConversationEntry, CorruptConversation} from './entry.js'
import {readEntry, readListing} from './listing.js'
import {locate, notFound, readSettled, type View} from './located.js'
import {
  createLockedConversation,
  type LockedConversation,
  type NewConversation,
  unbornOf,
} from './locked-conversation.js'
import type {SessionId} from './session-id.js'
import {findSession, sessionOf} from './sessions.js'

/** The conversations of one checkout's view (S15): the durable store plus that checkout's projection. */
export interface ConversationStore {
  /** Every conversation, sorted by id, read from the disk at each call (S30). Throws nothing for a damaged one (W20). */
  list(options?: {readonly archived?: boolean}): {
    readonly entries: readonly ConversationEntry[]
    readonly corrupt: readonly CorruptConversation[]
  }
  /** One entry, live or archived; undefined when no root holds it. @throws JpError `conversation_corrupt`. */
  find(id: ConversationId): ConversationEntry | undefined
  /** Whether a conversation is there. A damaged one is: whoever opens it is told what is wrong. */
  standing(id: ConversationId): 'live' | 'archived' | 'gone'
  /** @throws JpError `conversation_not_found`, `conversation_corrupt`, `file_unreadable`, `file_refused`. */
  read(id: ConversationId): Conversation
  /** As `read`, one event at a time: memory does not grow with the stream. */
  stream(id: ConversationId): ConversationStream
  /** Where its files are. @throws JpError `conversation_not_found`, `conversation_corrupt`. */
  paths(id: ConversationId): ConversationPaths
  /**
   * Takes the lock of a conversation, without waiting (W19), and proves that it can be read.
   * @throws JpError `conversation_locked` (details: `holder`), `conversation_not_found`, `conversation_corrupt`,
   * `conversation_archived`.
   */
  lock(id: ConversationId, options?: {readonly archived?: boolean}): LockedConversation
  /** Reserves an id under its lock. Nothing is on the disk before the first event is appended. */
  create(options?: NewConversation): LockedConversation
  /** The conversation behind a session id (D31), live or archived; undefined when there is none here. Writes nothing. */
  findSession(workspace: WorkspaceId, session: SessionId): ConversationId | undefined
  /** The session id of a conversation: the one that a caller gave, else the derived one. */
  sessionOf(workspace: WorkspaceId, id: ConversationId): SessionId
  /** Who holds the lock; undefined when it is free. Takes and writes nothing. */
  lockHolder(id: ConversationId): LockHolder | undefined
}

/** What a store stands on. */
export type StoreDeps = {
  /** The checkout's canonical root. */
  readonly root: string
  /** The user-local store; undefined when there is none, then everything lives in the checkout. */
  readonly silo: string | undefined
  readonly clock: Clock
  /** This process, as its locks name it. */
  readonly pid: number
  /** The session, as its locks name it. */
  readonly session?: string | undefined
  /** Whether a checkout of this workspace is there now (S24). */
  isLive(root: string): boolean
}

/** Creates the store of a checkout. Reads and writes nothing yet. */
export const createConversationStore = (deps: StoreDeps): ConversationStore => {
  const view: View = {roots: conversationRoots(deps.root, deps.silo), isLive: (path) => deps.isLive(path)}
  const locks = join(deps.silo ?? join(deps.root, '.jp'), 'locks')
  const lockPathOf = (id: ConversationId): string => join(locks, `${id}.lock`)
  const tryToLock = (id: ConversationId) =>
    tryLock(lockPathOf(id), {
      pid: deps.pid,
      ...(deps.session === undefined ? {} : {session: deps.session}),
      acquired_at: rfc3339(deps.clock.nowMs()),
    })
  const open = (id: ConversationId, lock: HeldLock): LockedConversation =>
    createLockedConversation({view, clock: deps.clock, lock, id, unborn: undefined})

  return {
    list({archived = false} = {}) {
      const {entries, corrupt} = readListing({view, lockPathOf})
      return {entries: entries.filter((entry) => entry.archived === archived), corrupt}
    },
    find(id) {
      if (locate(view.roots, id) === undefined) return undefined
      return readSettled(view.roots, id, (located) => readEntry(view, located))
    },
    standing(id) {
      const located = locate(view.roots, id)
      if (located === undefined) return 'gone'
      return (located.units.metadata ?? located.copies[0])?.copy.archived === true ? 'archived' : 'live'
    },
    read: (id) => readConversation(view, id),
    stream: (id) => openStream(view, id),
    paths: (id) => pathsOf(view, id),
    lock(id, {archived = false} = {}) {
      if (locate(view.roots, id) === undefined) throw notFound(id)
      const attempt = tryToLock(id)
      if (attempt.state === 'busy') throw lockedBy(id, attempt.holder)
      try {
        for (const {copy} of locate(view.roots, id)?.copies ?? []) sweepTemporaries(copy.directory)
        const conversation = readConversation(view, id)
        if (conversation.archived && !archived) throw archivedError(id)
        return open(id, attempt.lock)
      } catch (error) {
        attempt.lock.release()
        throw error
      }
    },
    create(options = {}) {
      const nowMs = deps.clock.nowMs()
      const first = options.id === undefined ? Math.floor(nowMs / 100) : decisecondsOf(options.id)
      for (let deciseconds = first; ; deciseconds++) {
        const id = conversationIdOf(deciseconds)
        if (locate(view.roots, id) !== undefined) continue
        const attempt = tryToLock(id)
        if (attempt.state === 'busy') continue
        // It may have been created and released since we looked.
        if (locate(view.roots, id) !== undefined) attempt.lock.release()
        else
          return createLockedConversation({
            view,
            clock: deps.clock,
            lock: attempt.lock,
            id,
            unborn: unbornOf(options, nowMs),
          })
      }
    },
    findSession: (workspace, session) => findSession(view.roots, workspace, session),
    sessionOf: (workspace, id) => sessionOf(view.roots, workspace, id),
    lockHolder: (id) =>
      isLocked(lockPathOf(id)) ? (readHolder(lockPathOf(id)) ?? {pid: 0, acquired_at: ''}) : undefined,
  }
}

const archivedError = (id: ConversationId): JpError =>
  new JpError('conversation_archived', `Conversation ${id} is archived.`, {
    hint: `Run "jp conversation unarchive ${id}" first.`,
  })

const lockedBy = (id: ConversationId, holder: LockHolder | undefined): JpError => {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}`
  const since = holder?.acquired_at === undefined || holder.acquired_at === '' ? '' : ` since ${holder.acquired_at}`
  return new JpError('conversation_locked', `Conversation ${id} is in use by ${who}${since}.`, {
    hint: 'Wait until it is done, or work in a copy: jp conversation fork.',
    details: {conversation: id, ...(holder === undefined ? {} : {holder})},
  })
}
