import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {monotonicMs} from './clock.js'
import {isMissing, writeFailure} from './file-errors.js'
import {listNames, makeDirectory} from './files.js'
import {type LockBinding, loadLockBinding} from './lock-binding.js'
import {isProcessAlive} from './processes.js'

/** Who holds a lock, as its file says. For people to read: the OS lock decides, never this. */
export type LockHolder = {
  readonly pid: number
  readonly session?: string
  /** RFC 3339 */
  readonly acquired_at: string
}

/** A lock that this process holds. It dies with the process. */
export interface HeldLock {
  release(): void
}

/** The answer to one try. */
export type LockAttempt =
  | {readonly state: 'held'; readonly lock: HeldLock}
  | {readonly state: 'busy'; readonly holder: LockHolder | undefined}

/**
 * Tries once to take the OS lock on this file (W19); its folder is created. The file is removed at release.
 * Two handles of one process exclude each other too. On Linux it is an open-file-description lock, on macOS `flock`, on
 * Windows `LockFileEx`.
 * @throws JpError `lock_unavailable` (no lock for this platform), `disk_full`, `file_unwritable`.
 */
export const tryLock = (path: string, holder: LockHolder): LockAttempt => tryLockWith(binding(), path, holder)

/** As {@link tryLock} with this binding. */
export const tryLockWith = (os: LockBinding, path: string, holder: LockHolder): LockAttempt => {
  makeDirectory(dirname(path), 'user')
  for (let looks = 0; ; ) {
    const fd = openLockFile(path)
    let held = false
    try {
      if (!os.tryLock(path, fd)) {
        const other = readHolder(path)
        if (looks++ >= briefLooks || isHeldForLong(other)) return {state: 'busy', holder: other}
        sleepBriefly()
        continue
      }
      // The file may have been released and removed between our open and our lock: then ours is not the one at `path`.
      if (!isSameFile(fd, path)) continue
      ftruncateSync(fd)
      writeSync(fd, `${JSON.stringify(holder)}\n`, 0)
      held = true
      return {state: 'held', lock: heldLock(os, path, fd)}
    } catch (error) {
      removeQuietly(path, fd)
      throw writeFailure(path, error)
    } finally {
      if (!held) {
        os.unlock(fd)
        closeSync(fd)
      }
    }
  }
}

/** How often a lock is looked at again that nobody living claims: who asks {@link isLocked} holds it for a moment. */
const briefLooks = 5

const isHeldForLong = (holder: LockHolder | undefined): boolean => holder !== undefined && isProcessAlive(holder.pid)

const sleepBriefly = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)

/** How long a short change of a state file by another process is waited for. Unit: milliseconds. */
const changeWaitMs = 5000

/**
 * Runs a short change of state files under a lock, so that writers of several processes take turns.
 * @throws JpError `state_busy` when another process holds it for five seconds; as {@link tryLock}; and what `change` throws.
 */
export const withLock = async <Result>(
  path: string,
  holder: LockHolder,
  change: () => Result | Promise<Result>,
): Promise<Result> => {
  const deadline = monotonicMs() + changeWaitMs
  for (let waitMs = 2; ; waitMs = Math.min(waitMs * 2, 50)) {
    const attempt = tryLock(path, holder)
    if (attempt.state === 'held') {
      try {
        return await change()
      } finally {
        attempt.lock.release()
      }
    }
    if (monotonicMs() > deadline) {
      const who = attempt.holder === undefined ? 'Another process' : `Process ${attempt.holder.pid}`
      throw new JpError('state_busy', `${who} has held ${path} for five seconds.`, {hint: 'Try again in a moment.'})
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** The lock files of a folder that nobody holds: their processes died. Takes and writes nothing. */
export const unheldLocks = (directory: string): readonly string[] =>
  listNames(directory)
    .filter((name) => name.endsWith('.lock'))
    .map((name) => join(directory, name))
    .filter((path) => !isLocked(path))

/** True while some process holds the lock on this file. Creates nothing. */
export const isLocked = (path: string): boolean => {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
  } catch {
    return false
  }
  try {
    return !binding().tryLock(path, fd)
  } finally {
    binding().unlock(fd)
    closeSync(fd)
  }
}

/** What the lock file says of its holder, or undefined when there is no file or it says nothing readable. */
export const readHolder = (path: string): LockHolder | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number')
      return undefined
    const acquired = 'acquired_at' in value && typeof value.acquired_at === 'string' ? value.acquired_at : ''
    const session = 'session' in value && typeof value.session === 'string' ? {session: value.session} : {}
    return {pid: value.pid, ...session, acquired_at: acquired}
  } catch {
    return undefined
  }
}

const openLockFile = (path: string): number => {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600)
  } catch (error) {
    throw writeFailure(path, error)
  }
}

const heldLock = (os: LockBinding, path: string, fd: number): HeldLock => {
  let released = false
  return {
    release() {
      if (released) return
      released = true
      // Removed while still locked, so that nobody can have locked the file that goes.
      removeQuietly(path, fd)
      os.unlock(fd)
      closeSync(fd)
    },
  }
}

const isSameFile = (fd: number, path: string): boolean => {
  try {
    const [ours, there] = [fstatSync(fd, {bigint: true}), statSync(path, {bigint: true})]
    return ours.ino === there.ino && ours.dev === there.dev
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Tries twice: a fault of the moment must not leave the file. One that stays is harmless: the OS lock is what counts. */
const removeQuietly = (path: string, fd: number): void => {
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      if (isSameFile(fd, path)) unlinkSync(path)
      return
    } catch (error) {
      if (isMissing(error)) return
    }
  }
}

let loaded: LockBinding | undefined

const binding = (): LockBinding => (loaded ??= loadLockBinding())
