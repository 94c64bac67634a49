import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {errnoOf} from '../platform/file-errors.js'
import {makeDirectory} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {type LockHolder, withLock} from '../platform/lock.js'
import type {ConversationRoot} from './conversation-roots.js'
import {type Draft, type DraftWrite, readDraft, removeDraft, writeDraft} from './draft.js'
import {composingDirectory} from './first-persist.js'
import {importIntoSilo} from './importing.js'
import {locate, notFound} from './located.js'

/** The drafts of a checkout's view (W22): one a conversation, in its user-local folder. */
export interface Drafts {
  /** Undefined when there is none, or no user-local storage. @throws JpError `file_unreadable`, `file_refused`. */
  read(id: ConversationId): Draft | undefined
  /**
   * Replaces the draft when it still is the one that the caller saw; empty text removes it. A conversation that is being
   * composed need not be stored yet.
   * @param revision of the draft that the caller saw; undefined when it saw none.
   * @throws JpError `draft_unavailable` (no user-local storage), `state_busy`, `disk_full`, `file_unwritable`.
   */
  write(id: ConversationId, text: string, revision: string | undefined): Promise<DraftWrite>
  /**
   * Removes the draft that was read: one that changed since is kept.
   * @throws JpError `draft_conflict`, and as `write`.
   */
  remove(id: ConversationId, revision: string | undefined): Promise<void>
}

/** What drafts stand on. */
export type DraftDeps = {
  readonly roots: readonly ConversationRoot[]
  readonly locks: string
  holder(): LockHolder
}

/** Creates the drafts of a view. Every writer takes `draft-<id>.lock`, so that seeing and replacing are one step. */
export const createDrafts = (deps: DraftDeps): Drafts => {
  const silo = deps.roots.find((root) => root.place === 'silo')
  const locked = <Result>(id: ConversationId, change: () => Result): Promise<Result> =>
    withLock(join(deps.locks, `draft-${id}.lock`), deps.holder(), change)
  const read = (id: ConversationId): Draft | undefined => {
    const directory = directoryOf(deps.roots, id)
    return directory === undefined ? undefined : readDraft(directory)
  }
  return {
    read,
    write: (id, text, revision) =>
      locked(id, () => {
        if (silo === undefined) throw unavailable(id)
        const known = directoryOf(deps.roots, id)
        if (known === undefined && (text === '' || revision !== undefined))
          return revision === undefined ? {state: 'written', draft: undefined} : {state: 'conflict', draft: undefined}
        return settled(() =>
          writeDraft(directoryOf(deps.roots, id) ?? makePlace(deps.roots, silo, id), text.toWellFormed(), revision),
        )
      }),
    remove: (id, revision) =>
      locked(id, () => {
        if (read(id)?.revision !== revision) throw changedSince(id)
        const directory = directoryOf(deps.roots, id)
        if (directory !== undefined) removeDraft(directory)
      }),
  }
}

/** The error for a draft that is another than the one that was seen. */
export const changedSince = (id: ConversationId): JpError =>
  new JpError('draft_conflict', `The draft of ${id} changed since it was read; it was kept.`, {
    hint: 'Look at it, and run the command again.',
    details: {conversation: id},
  })

const unavailable = (id: ConversationId): JpError =>
  new JpError('draft_unavailable', `The draft of ${id} can't be kept: this workspace has no user-local storage.`)

const directoryOf = (roots: readonly ConversationRoot[], id: ConversationId): string | undefined =>
  locate(roots, id)?.copies.find(({copy}) => copy.root.place === 'silo')?.copy.directory

/** How often a folder is looked for again that a title change moved between finding and using it. */
const attempts = 5

const settled = <Result>(act: () => Result): Result => {
  for (let attempt = 1; ; attempt++) {
    try {
      return act()
    } catch (error) {
      const cause = error instanceof JpError ? error.cause : error
      if (attempt === attempts || errnoOf(cause) !== 'ENOENT') throw error
    }
  }
}

/** A conversation that only the checkout holds is imported; one of which nothing exists is being composed. */
const makePlace = (roots: readonly ConversationRoot[], silo: ConversationRoot, id: ConversationId): string => {
  const located = locate(roots, id)
  if (located === undefined) {
    const directory = composingDirectory(silo, id)
    makeDirectory(directory, 'user')
    return directory
  }
  importIntoSilo(roots, located)
  const directory = directoryOf(roots, id)
  if (directory === undefined) throw notFound(id)
  return directory
}
