import {JpError} from '../errors/jp-error.js'
import {type ConversationId, decisecondsOf, type WorkspaceId} from '../platform/id-grammar.js'
import type {HeldLock, LockHolder} from '../platform/lock.js'
import {atOnce, type Steps} from '../platform/steps.js'
import {sweepTemporaries} from '../platform/temporaries.js'
import {
  type Conversation,
  type ConversationPaths,
  type ConversationStream,
  openStream,
  pathsOf,
  readConversation,
} from './conversation.js'
import {type ConversationLocks, createConversationLocks, type LocksDeps} from './conversation-locks.js'
import {conversationRoots} from './conversation-roots.js'
import {createDrafts, type Drafts} from './drafts.js'
import type {ConversationEntry} from './entry.js'
import {type ConversationLine, readConversationLine} from './events-line.js'
import {type ForkChoice, type ForkOptions, forkOf} from './fork.js'
import {type Listing, type ListingDeps, locateAll, readEntry, readListing} from './listing.js'
import {createLooking, type Looking} from './listing-glance.js'
import {type Located, locate, type View} from './located.js'
import {createLockedConversation, type LockedConversation} from './locked-conversation.js'
import {removeConversation} from './removal.js'
import type {SessionId} from './session-id.js'
import {findSession, sessionOf} from './sessions.js'
import {type NewConversation, type Unborn, unbornOf} from './unborn.js'

/** Which conversations a listing gives: the live ones, or the archived ones. */
export type ListOptions = {readonly archived?: boolean}

/** The conversations of one checkout's view (S15): the durable store plus that checkout's projection. */
export interface ConversationStore {
  /** Every conversation, sorted by id, read from the disk at each call (S30). Throws nothing for a damaged one (W20). */
  list(options?: ListOptions): Listing
  /** As `list`, one conversation a step: for a process that others wait for. */
  listInSteps(options?: ListOptions): Steps<Listing>
  /** One entry, live or archived; undefined when no root holds it. @throws JpError `conversation_corrupt`. */
  find(id: ConversationId): ConversationEntry | undefined
  /** Every conversation that the listing has, located and unread: for searches. */
  located(options?: {readonly archived?: boolean}): Iterable<Located>
  /** Whether a conversation is there. A damaged one is: whoever opens it is told what is wrong. */
  standing(id: ConversationId): 'live' | 'archived' | 'gone'
  /** @throws JpError `conversation_not_found`, `conversation_corrupt`, `file_unreadable`, `file_refused`. */
  read(id: ConversationId): Conversation
  /** As `read`, with the stream as one line of JSON for a peer. */
  readLine(id: ConversationId): ConversationLine
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
  /**
   * Starts a new conversation from a part of another, element by element as its file spells them. It is on the disk when
   * this returns, under its lock. Throws as `read` and `create`.
   */
  fork(id: ConversationId, choice: ForkChoice, options?: ForkOptions): LockedConversation
  /**
   * Removes a conversation, a damaged one too, from both roots.
   * @param draftRevision the draft that goes with it, as the caller saw it.
   * @throws JpError `conversation_locked`, `conversation_not_found`, `draft_conflict`, `file_unwritable`.
   */
  remove(id: ConversationId, draftRevision: string | undefined): void
  /** The unsent texts (W22). */
  readonly drafts: Drafts
  /**
   * The conversation behind a session id (D31), live or archived; undefined when there is none here. Writes nothing; a
   * look at one conversation is a step.
   */
  findSession(workspace: WorkspaceId, session: SessionId): Steps<ConversationId | undefined>
  /** The session id of a conversation: the one that a caller gave, else the derived one. */
  sessionOf(workspace: WorkspaceId, id: ConversationId): SessionId
  /** Who holds the lock; undefined when it is free. Takes and writes nothing. */
  lockHolder(id: ConversationId): LockHolder | undefined
}

/** What a store stands on. */
export type StoreDeps = LocksDeps & {
  /** Where the index of listings is kept, below the cache folder; undefined: in memory. */
  readonly indexFile?: string | undefined
  /** A clock that never jumps, for a process that lists again and again; without it every listing looks at every file. */
  readonly elapsedMs?: (() => number) | undefined
  /** Whether a checkout of this workspace is there now (S24). */
  isLive(root: string): boolean
  /** Told what a person should know of a write. */
  readonly warn?: ((text: string) => void) | undefined
}

/** Creates the store of a checkout. Reads and writes nothing yet. */
export const createConversationStore = (deps: StoreDeps): ConversationStore => {
  const view: View = {roots: conversationRoots(deps.root, deps.silo), isLive: (path) => deps.isLive(path)}
  const locks = createConversationLocks(view.roots, deps)
  const hold = (id: ConversationId, lock: HeldLock, unborn?: Unborn): LockedConversation =>
    createLockedConversation({view, clock: deps.clock, lock, id, unborn, warn: (text) => deps.warn?.(text)})
  const create = (options: NewConversation = {}): LockedConversation => {
    const nowMs = deps.clock.nowMs()
    const first = options.id === undefined ? Math.floor(nowMs / 100) : decisecondsOf(options.id)
    const {id, lock} = locks.reserve(first)
    return hold(id, lock, unbornOf(options, id, nowMs))
  }
  return {
    ...readers(view, locks, createLooking(view, deps)),
    create,
    lock(id, {archived = false} = {}) {
      const lock = locks.take(id)
      return releasedOnFailure(lock, () => {
        for (const {copy} of locate(view.roots, id)?.copies ?? []) sweepTemporaries(copy.directory)
        if (readConversation(view, id).archived && !archived) throw archivedError(id)
        return hold(id, lock)
      })
    },
    fork(id, choice, options = {}) {
      const held = create(forkOf(view, id, {choice, options}))
      return releasedOnFailure(held, () => {
        held.persist()
        return held
      })
    },
    remove(id, draftRevision) {
      const lock = locks.take(id)
      try {
        removeConversation(view.roots, id, draftRevision)
      } finally {
        lock.release()
      }
    },
    drafts: createDrafts({roots: view.roots, locks: locks.directory, holder: locks.holder}),
    findSession: (workspace, session) => findSession(view.roots, workspace, session),
    sessionOf: (workspace, id) => sessionOf(view.roots, workspace, id),
  }
}

type Readers = Pick<
  ConversationStore,
  'list' | 'listInSteps' | 'located' | 'find' | 'standing' | 'read' | 'readLine' | 'stream' | 'paths' | 'lockHolder'
>

const readers = (view: View, locks: ConversationLocks, looking: Looking): Readers => {
  const listing: ListingDeps = {view, ...looking, lockPathOf: (id) => locks.pathOf(id)}
  function* listInSteps({archived = false}: ListOptions = {}): Steps<Listing> {
    const {entries, corrupt} = yield* readListing(listing)
    return {entries: entries.filter((entry) => entry.archived === archived), corrupt}
  }
  return {
    list: (options) => atOnce(listInSteps(options)),
    listInSteps,
    find(id) {
      return locate(view.roots, id) === undefined ? undefined : readEntry(listing, id)
    },
    located: ({archived = false} = {}) => locateAll(view, archived),
    standing(id) {
      const located = locate(view.roots, id)
      if (located === undefined) return 'gone'
      return (located.units.metadata ?? located.copies[0])?.copy.archived === true ? 'archived' : 'live'
    },
    read: (id) => readConversation(view, id),
    readLine: (id) => readConversationLine(view, id),
    stream: (id) => openStream(view, id),
    paths: (id) => pathsOf(view, id),
    lockHolder: (id) => locks.holderOf(id),
  }
}

/** A handle whose first step failed is let go. */
const releasedOnFailure = <Result>(handle: {release(): void}, act: () => Result): Result => {
  try {
    return act()
  } catch (error) {
    handle.release()
    throw error
  }
}

const archivedError = (id: ConversationId): JpError =>
  new JpError('conversation_archived', `Conversation ${id} is archived.`, {
    hint: `Run "jp conversation unarchive ${id}" first.`,
  })
