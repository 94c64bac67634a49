import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {type Clock, rfc3339} from '../platform/clock.js'
import {type ConversationId, conversationIdOf} from '../platform/id-grammar.js'
import {type HeldLock, isLocked, type LockHolder, readHolder, tryLock} from '../platform/lock.js'
import type {ConversationRoot} from './conversation-roots.js'
import {locate, notFound} from './located.js'

/** The locks of a checkout's conversations (W19): in the user-local store, so that all its checkouts share them. */
export interface ConversationLocks {
  readonly directory: string
  /** This process, as a lock's file names it. */
  holder(this: void): LockHolder
  pathOf(id: ConversationId): string
  /** @throws JpError `conversation_not_found`, `conversation_locked` (details: `holder`), `disk_full`, `file_unwritable`. */
  take(id: ConversationId): HeldLock
  /**
   * The first id from here on that nobody has and nobody is making (W21), under its lock.
   * @param deciseconds since the Unix epoch.
   */
  reserve(deciseconds: number): {readonly id: ConversationId; readonly lock: HeldLock}
  /** Who holds a lock; undefined when it is free. Takes and writes nothing. */
  holderOf(id: ConversationId): LockHolder | undefined
}

/** What locks stand on. */
export type LocksDeps = {
  /** The checkout's canonical root. */
  readonly root: string
  /** The user-local store; undefined when there is none, then everything lives in the checkout. */
  readonly silo: string | undefined
  readonly clock: Clock
  /** This process, as its locks name it. */
  readonly pid: number
  /** The session, as its locks name it. */
  readonly session?: string | undefined
}

/** The folder of a checkout's lock files (facts 2.12). */
export const locksDirectory = (root: string, silo: string | undefined): string =>
  join(silo ?? join(root, '.jp'), 'locks')

/** Creates the locks. Takes none yet. */
export const createConversationLocks = (roots: readonly ConversationRoot[], deps: LocksDeps): ConversationLocks => {
  const directory = locksDirectory(deps.root, deps.silo)
  const pathOf = (id: ConversationId): string => join(directory, `${id}.lock`)
  const holder = (): LockHolder => ({
    pid: deps.pid,
    ...(deps.session === undefined ? {} : {session: deps.session}),
    acquired_at: rfc3339(deps.clock.nowMs()),
  })
  return {
    directory,
    holder,
    pathOf,
    take(id) {
      if (locate(roots, id) === undefined) throw notFound(id)
      const attempt = tryLock(pathOf(id), holder())
      if (attempt.state === 'busy') throw lockedBy(id, attempt.holder)
      return attempt.lock
    },
    reserve(deciseconds) {
      for (let next = deciseconds; ; next++) {
        const id = conversationIdOf(next)
        if (locate(roots, id) !== undefined) continue
        const attempt = tryLock(pathOf(id), holder())
        if (attempt.state === 'busy') continue
        // It may have been created and released since we looked.
        if (isFree(roots, id, attempt.lock)) return {id, lock: attempt.lock}
      }
    },
    holderOf: (id) => (isLocked(pathOf(id)) ? (readHolder(pathOf(id)) ?? unknownHolder) : undefined),
  }
}

/** Under its lock. One that is not free, or of which nothing can be told, is let go. */
const isFree = (roots: readonly ConversationRoot[], id: ConversationId, lock: HeldLock): boolean => {
  let free = false
  try {
    free = locate(roots, id) === undefined
    return free
  } finally {
    if (!free) lock.release()
  }
}

const unknownHolder: LockHolder = {pid: 0, acquired_at: ''}

const lockedBy = (id: ConversationId, holder: LockHolder | undefined): JpError => {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}`
  const since = holder?.acquired_at === undefined || holder.acquired_at === '' ? '' : ` since ${holder.acquired_at}`
  return new JpError('conversation_locked', `Conversation ${id} is in use by ${who}${since}.`, {
    hint: `Wait until it is done, or work in a copy: jp conversation fork ${id}`,
    details: {conversation: id, ...(holder === undefined ? {} : {holder})},
  })
}
