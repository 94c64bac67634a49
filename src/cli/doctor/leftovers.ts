import {rmSync} from 'node:fs'
import {join} from 'node:path'
import type {DoctorPlace} from '../../bootstrap/doctor.js'
import {holderOf} from '../../bootstrap/launch.js'
import {conversationRoots, shelfOf} from '../../conversation/conversation-roots.js'
import {writeFailure} from '../../platform/file-errors.js'
import {tryLock, unheldLocks} from '../../platform/lock.js'
import type {FixOutcome, Problem} from '../../platform/problem.js'
import {deadTemporaries} from '../../platform/temporaries.js'
import {sessionsOf} from '../../session/selection-store.js'
import type {Invocation} from '../invocation.js'

/**
 * What processes that died left: lock files of what all workspaces share, and half-written files. The locks of
 * conversations are found with the conversations. Writes nothing.
 */
export const diagnoseLeftovers = (invocation: Invocation, {checkout, silo}: DoctorPlace): readonly Problem[] => {
  const {data, cache} = invocation.directories
  const stores = silo === undefined ? [] : [silo, join(silo, 'roots'), join(silo, 'sessions')]
  const roots = checkout === undefined ? [] : conversationRoots(checkout.root, silo)
  const shelves = roots.flatMap((root) => [shelfOf(root, false), shelfOf(root, true)])
  const folders = [data, sessionsOf(data), join(data, 'trust'), join(data, 'serve'), ...stores]
  const caches = [join(cache, 'conversations'), join(cache, 'plugins'), join(cache, 'plugins', 'bin')]
  return [
    ...[join(data, 'locks'), sessionsOf(data)].flatMap(unheldLocks).map((path) => staleLock(path, invocation)),
    ...[...folders, ...shelves, ...caches].flatMap(deadTemporaries).map(halfWritten),
  ]
}

const staleLock = (path: string, invocation: Invocation): Problem => ({
  code: 'stale_lock',
  gravity: 'note',
  path,
  reason: 'nobody holds this lock; its process died',
  advice: 'remove the file',
  fix(): FixOutcome {
    const attempt = tryLock(path, holderOf(invocation))
    if (attempt.state === 'busy') return 'in_use'
    attempt.lock.release()
    return 'fixed'
  },
})

const halfWritten = (path: string): Problem => ({
  code: 'half_written',
  gravity: 'note',
  path,
  reason: 'a process died while it wrote this file; the one that counts is whole',
  advice: 'remove it',
  fix() {
    try {
      rmSync(path, {recursive: true, force: true})
    } catch (error) {
      throw writeFailure(path, error)
    }
    return 'fixed'
  },
})
