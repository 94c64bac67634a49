import {JpError} from '../errors/jp-error.js'
import {type Clock, rfc3339} from '../platform/clock.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {HeldLock} from '../platform/lock.js'
import {type Conversation, lastRootOf, readConversation} from './conversation.js'
import {checkEdited, type EditedFiles} from './edited-files.js'
import type {NewEvent} from './event.js'
import {eventText} from './event-codec.js'
import {firstPersist} from './first-persist.js'
import {type LastRoot, writeLastRoot, writeSessionId} from './local-metadata.js'
import {locate, type View} from './located.js'
import {keyChanges, type MetadataChange} from './metadata.js'
import {createPersistence} from './persist.js'
import type {SessionId} from './session-id.js'
import {storedTimestamp} from './timestamp.js'
import {changedText, type Unborn, unbornConversation} from './unborn.js'

/** A conversation under its lock: the only way to write one (W19). Every write is durable when it returns (W18). */
export interface LockedConversation {
  readonly id: ConversationId
  /** @throws JpError `conversation_not_found`, `conversation_corrupt`. */
  read(): Conversation
  /**
   * Appends events to every copy. When it returns they survive `kill -9` and a power cut.
   * @throws JpError `conversation_not_found`, `conversation_corrupt`, `disk_full`, `file_unwritable`.
   */
  append(events: readonly NewEvent[]): void
  /** Puts a new conversation on the disk as it is, before it has an event of its own. Throws as {@link append}. */
  persist(): void
  /** Changes `metadata.json`; a new title renames the folders (S23). Throws as {@link append}. */
  changeMetadata(change: MetadataChange): void
  /** Moves it to the archive of every root that holds it, or back. Throws as {@link append}. */
  setArchived(archived: boolean): void
  /** Takes it out of the checkout (true), or puts a copy there (false). The durable copy stays whole. Throws as {@link append}. */
  setLocal(isLocal: boolean): void
  /**
   * Replaces whole managed files by hand-edited ones and touches no other file of the folders (S22).
   * @throws JpError `conversation_corrupt` when one can't be read as what it is; nothing is written then.
   */
  replaceFiles(files: EditedFiles): void
  /** Records the checkout that a turn runs in (S19, S20); without user-local storage nothing happens (S25). */
  recordRoot(root: string): void
  /** Keeps the session id that a caller gave (D31); without user-local storage nothing happens. */
  recordSession(session: SessionId): void
  /** The record as it stands (S26); undefined when there is none. */
  lastRoot(): LastRoot | undefined
  release(): void
}

/** What a locked conversation stands on. */
export type LockedDeps = {
  readonly view: View
  readonly clock: Clock
  readonly lock: HeldLock
  readonly id: ConversationId
  /** Undefined for one that is on the disk. */
  readonly unborn: Unborn | undefined
  /** Told what a person should know of a write. */
  warn(this: void, text: string): void
}

/** Creates the handle. Whoever gets it releases it. */
export const createLockedConversation = (deps: LockedDeps): LockedConversation => {
  const {view, clock, id} = deps
  let unborn = deps.unborn
  const pending: ((directory: string) => void)[] = []
  let isReleased = false
  const persistence = createPersistence({
    roots: view.roots,
    id,
    nowIso: () => rfc3339(clock.nowMs()),
    warn: deps.warn,
  })

  const assertHeld = (): void => {
    if (isReleased) throw new JpError('internal', `The lock of ${id} was released before this write.`)
  }
  const persist = (events: readonly NewEvent[]): void => {
    const now = storedTimestamp(clock.nowMs())
    const texts = events.map((event) => eventText(event, now))
    if (unborn === undefined) return persistence.apply({events: texts})
    firstPersist(view.roots, id, unborn, texts)
    unborn = undefined
    for (const record of pending.splice(0)) recordLocally(record)
  }
  const recordLocally = (record: (directory: string) => void): void => {
    const own = locate(view.roots, id)?.copies.find(({copy}) => copy.root.place === 'silo')
    if (own !== undefined) record(own.copy.directory)
    else if (unborn !== undefined) pending.push(record)
  }
  return {
    id,
    read: () => (unborn === undefined ? readConversation(view, id) : unbornConversation(id, unborn)),
    append(events) {
      assertHeld()
      if (events.length > 0) persist(events)
    },
    persist() {
      assertHeld()
      if (unborn !== undefined) persist([])
    },
    changeMetadata(change) {
      assertHeld()
      if (unborn === undefined) persistence.apply({metadata: keyChanges(change)})
      else unborn = {...unborn, bytes: {...unborn.bytes, metadata: changedText(unborn.bytes.metadata, change)}}
    },
    setArchived(archived) {
      assertHeld()
      if (unborn !== undefined) throw new JpError('conversation_not_found', `Conversation ${id} is not stored yet.`)
      persistence.apply({metadata: keyChanges({archivedAtMs: archived ? clock.nowMs() : null}), archived})
    },
    setLocal(isLocal) {
      assertHeld()
      if (unborn === undefined) persistence.apply({isLocal})
      else unborn = {...unborn, isLocal}
    },
    replaceFiles(files) {
      assertHeld()
      persistence.apply({replace: checkEdited(files)})
    },
    recordRoot(root) {
      assertHeld()
      recordLocally((directory) => writeLastRoot(directory, root, clock.nowMs()))
    },
    recordSession(session) {
      assertHeld()
      recordLocally((directory) => writeSessionId(directory, session))
    },
    lastRoot() {
      const located = locate(view.roots, id)
      return located === undefined ? undefined : lastRootOf(view, located)
    },
    release() {
      isReleased = true
      deps.lock.release()
    },
  }
}
