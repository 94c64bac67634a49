import {createRequire} from 'node:module'
import type {DatabaseSync} from 'node:sqlite'
import {JpError} from '../errors/jp-error.js'
import {errnoOf, reasonOf} from './file-errors.js'

/** How this platform locks an open file. What it locks is let go when the descriptor is closed or the process dies. */
export interface LockBinding {
  /** Tries once; false when somebody else holds it. */
  tryLock(path: string, fd: number): boolean
  /** To be called before the descriptor is closed. */
  unlock(fd: number): void
}

/** The addon of fs-native-extensions: it throws `EAGAIN` when somebody else holds the lock. */
type Addon = {tryLock(fd: number, offset: number, length: number, exclusive: boolean): void}

/**
 * The binding of this platform: an open-file-description lock on Linux, `flock` on macOS, `LockFileEx` on Windows; where
 * there is no prebuilt one (musl), an exclusive transaction of SQLite, which is a lock of the operating system too.
 * Which of the two it is depends on the platform alone: they do not exclude each other, so a prebuilt one that can't be
 * loaded just now (too many open files) is an error, not a reason for the other.
 * @throws JpError `lock_unavailable`.
 */
export const loadLockBinding = (load: () => Addon = loadAddon): LockBinding => {
  try {
    return nativeBinding(load())
  } catch (error) {
    if (errnoOf(error) === 'MODULE_NOT_FOUND' || isMusl()) return sqliteBinding(error)
    throw new JpError('lock_unavailable', `The file lock can't be loaded: ${reasonOf(error)}.`, {
      cause: error,
      hint: 'Try again. When it stays so, reinstall jp.',
    })
  }
}

/** The prebuilt file for Linux is there with musl too, and can't be loaded. Asked only when something failed: it is slow. */
const isMusl = (): boolean => {
  if (process.platform !== 'linux') return false
  const {header} = process.report.getReport() as {header: {glibcVersionRuntime?: string}}
  return header.glibcVersionRuntime === undefined
}

/** The prebuilt file itself: the package would look for it in a dozen places first, 12 ms of every run that locks. */
const loadAddon = (): Addon => {
  const {platform, arch} = process
  const file = `fs-native-extensions/prebuilds/${platform}-${arch}/fs-native-extensions.node`
  return createRequire(import.meta.filename)(file) as Addon
}

const nativeBinding = (addon: Addon): LockBinding => ({
  tryLock(_path, fd) {
    try {
      addon.tryLock(fd, 0, 0, true)
      return true
    } catch (error) {
      if (errnoOf(error) === 'EAGAIN') return false
      throw error
    }
  },
  unlock: () => undefined,
})

/**
 * Locks through SQLite: `<path>.db` is held in an exclusive transaction, and stays behind empty. Such locks and native
 * ones do not exclude each other, so every jp of one machine must be installed alike.
 * @param cause why the native lock is not there, for the error.
 * @throws JpError `lock_unavailable` when this Node has no SQLite either.
 */
export const sqliteBinding = (cause?: unknown): LockBinding => {
  const {DatabaseSync: Database} = loadSqlite(cause)
  const held = new Map<number, DatabaseSync>()
  return {
    tryLock(path, fd) {
      const database = new Database(`${path}.db`)
      try {
        database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
        held.set(fd, database)
        return true
      } catch {
        database.close()
        return false
      }
    },
    unlock(fd) {
      held.get(fd)?.close()
      held.delete(fd)
    },
  }
}

const loadSqlite = (cause: unknown): typeof import('node:sqlite') => {
  try {
    return createRequire(import.meta.filename)('node:sqlite') as typeof import('node:sqlite')
  } catch {
    throw new JpError('lock_unavailable', 'This platform has no file lock that jp knows.', {
      cause,
      hint: 'Reinstall jp on a platform that fs-native-extensions has a prebuilt binary for (Linux glibc, macOS, Windows).',
    })
  }
}
