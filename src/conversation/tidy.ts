import {basename, join} from 'node:path'
import {type ConversationId, parseConversationId} from '../platform/id-grammar.js'
import {type LockHolder, tryLock, unheldLocks} from '../platform/lock.js'
import {sweepTemporaries} from '../platform/temporaries.js'
import {type ConversationRoot, copiesOf, shelfOf} from './conversation-roots.js'

/** A lock file whose holder is gone. */
export type StaleLock = {readonly path: string; readonly id: ConversationId | undefined}

/** The lock files that nobody holds. Takes and writes nothing. */
export const staleLocks = (locks: string): readonly StaleLock[] =>
  unheldLocks(locks).map((path) => ({path, id: idOf(basename(path))}))

const idOf = (name: string): ConversationId | undefined =>
  parseConversationId(name.replace(/^draft-/, '').replace(/\.lock$/, ''))

/**
 * Tidies up after writers that died (Q25): their lock file says which conversation they were at, so its temporary files
 * go, and then the lock file itself. Costs one look at a folder when nobody died.
 * @throws JpError `file_unreadable`, `disk_full`, `file_unwritable`.
 */
export const tidyAfterDead = (roots: readonly ConversationRoot[], locks: string, holder: LockHolder): void => {
  const stale = staleLocks(locks)
  if (stale.length === 0) return
  for (const {path, id} of stale) {
    const attempt = tryLock(path, holder)
    if (attempt.state === 'busy') continue
    try {
      if (id !== undefined) for (const {directory} of copiesOf(roots, id)) sweepTemporaries(directory)
    } finally {
      attempt.lock.release()
    }
  }
  for (const root of roots) {
    for (const shelf of [shelfOf(root, false), shelfOf(root, true), join(root.base, 'sessions')])
      sweepTemporaries(shelf)
  }
}
