import {isUtf8} from 'node:buffer'
import {
  closeSync,
  constants,
  type Dirent,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {errnoOf, isMissing, readFailure, writeFailure} from './file-errors.js'
import {temporaryOf} from './temporary-name.js'

/**
 * State files are read and written synchronously: they are small, a command does little else meanwhile, and nothing of
 * the same process can come between a read and the write that follows from it (decision 0002).
 */

/** How much one file may hold before reading it is refused. Unit: bytes. */
export const defaultMaxBytes = 1024 * 1024 * 1024

/** Bounds of a read. */
export type ReadOptions = {
  /** Refuse a larger file. Unit: bytes. */
  readonly maxBytes?: number
  /** Refuse a symbolic link in the file's place: for what comes with a checkout (W32). */
  readonly noFollow?: boolean
}

/**
 * The bytes of a regular file. A FIFO, device or socket is refused without blocking.
 * @throws JpError `file_not_found`, `file_unreadable`, `file_refused` (not a regular file, or too large).
 */
export const readBytes = (path: string, options: ReadOptions = {}): Buffer => {
  let fd: number | undefined
  try {
    fd = openForReading(path, options.noFollow ?? false)
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw new JpError('file_refused', `${path} is not a regular file.`)
    const maxBytes = options.maxBytes ?? defaultMaxBytes
    if (stat.size > maxBytes) {
      throw new JpError(
        'file_refused',
        `${path} is too large: ${megabytes(stat.size)}; the limit is ${megabytes(maxBytes)}.`,
      )
    }
    return readWhole(fd, stat.size)
  } catch (error) {
    throw readFailure(path, error)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** A file of known size takes one read; what the kernel makes up on the fly (size 0) is read to its end. */
const readWhole = (fd: number, size: number): Buffer => {
  if (size === 0) return readFileSync(fd)
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const read = readSync(fd, bytes, length, size - length, null)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}

/**
 * Opens a file for reading without waiting for anybody; the caller closes it. Throws Node's own errors.
 * @throws JpError `file_refused` for a link where none is followed.
 */
export const openForReading = (path: string, noFollow: boolean): number => {
  try {
    const link = noFollow ? (constants.O_NOFOLLOW ?? 0) : 0
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | link)
  } catch (error) {
    if (errnoOf(error) === 'ELOOP') throw new JpError('file_refused', `${path} is a symbolic link.`, {cause: error})
    throw error
  }
}

/**
 * The text of a regular UTF-8 file, byte order mark included.
 * @throws JpError as {@link readBytes}, and `file_corrupt` when the bytes are not UTF-8.
 */
export const readText = (path: string, options: ReadOptions = {}): string => {
  const bytes = readBytes(path, options)
  if (!isUtf8(bytes)) throw new JpError('file_corrupt', `${path} is not UTF-8 text.`)
  return bytes.toString('utf8')
}

/** As {@link readText}; undefined when there is no such file. */
export const readTextIfPresent = (path: string, options: ReadOptions = {}): string | undefined => {
  try {
    return readText(path, options)
  } catch (error) {
    if (error instanceof JpError && error.code === 'file_not_found') return undefined
    throw error
  }
}

/** Who may read what is written: `user` is 0600 whatever the umask (W33), `umask` follows it (the projection). */
export type Audience = 'user' | 'umask'

/**
 * The one atomic writer: the file holds its old bytes or all of the new ones, also after `kill -9` or a full disk.
 * The folder must exist. A symbolic link in the file's place is replaced, never followed.
 * @throws JpError `disk_full`, `file_unwritable`. Nothing is left behind.
 */
export const writeAtomic = (path: string, content: string | Uint8Array, audience: Audience): void => {
  try {
    replaceFile(path, content, audience)
  } catch (error) {
    // Another process may have swept our temporary file while our pid meant nothing to it (another pid namespace).
    if (errnoOf(error) !== 'ENOENT') throw writeFailure(path, error)
    try {
      replaceFile(path, content, audience)
    } catch (second) {
      throw writeFailure(path, second)
    }
  }
}

/**
 * As {@link writeAtomic}, for a file that must not be there yet; never replaces one.
 * @returns false when something of that name was there; it is as it was.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const createAtomic = (path: string, content: string | Uint8Array, audience: Audience): boolean => {
  const temporary = temporaryOf(path)
  try {
    writeAtomic(temporary, content, audience)
    linkSync(temporary, path)
    syncDirectory(dirname(path))
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw writeFailure(path, error)
  } finally {
    rmSync(temporary, {force: true})
  }
}

/** As {@link writeAtomic}, but leaves a file that already holds these bytes alone: its mtime is data (facts 2.2). */
export const writeAtomicIfChanged = (path: string, content: string | Uint8Array, audience: Audience): boolean => {
  if (holds(path, content)) return false
  writeAtomic(path, content, audience)
  return true
}

const holds = (path: string, content: string | Uint8Array): boolean => {
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
    const stat = lstatSync(path)
    return stat.isFile() && stat.size === bytes.length && readBytes(path, {noFollow: true}).equals(bytes)
  } catch {
    return false
  }
}

const replaceFile = (path: string, content: string | Uint8Array, audience: Audience): void =>
  putInPlace(path, content, {audience, isDurable: true})

/** Writes beside a path, then renames. Throws Node's own errors; nothing is left behind. */
export const putInPlace = (
  path: string,
  content: string | Uint8Array,
  {audience, isDurable}: {readonly audience: Audience; readonly isDurable: boolean},
): void => {
  const temporary = temporaryOf(path)
  try {
    writeNew(temporary, content, {mode: audience === 'user' ? 0o600 : modeOf(path), audience, isDurable})
    renameSync(temporary, path)
  } catch (error) {
    try {
      unlinkSync(temporary)
    } catch {
      // The first error is the one to tell; a left-over is swept by the next run.
    }
    throw error
  }
  if (isDurable) syncDirectory(dirname(path))
}

type NewFile = {readonly mode: number | undefined; readonly audience: Audience; readonly isDurable: boolean}

const writeNew = (path: string, content: string | Uint8Array, {mode, audience, isDurable}: NewFile): void => {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
  const fd = openSync(path, flags, audience === 'user' ? 0o600 : 0o666)
  try {
    if (mode !== undefined) fchmodSync(fd, mode)
    writeFileSync(fd, content)
    if (isDurable) fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Writes a file into a folder that nobody sees yet (`publishFolder`): durable once that folder is published, and without
 * the steps that keep a reader of a visible folder from half a file.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const writeUnpublished = (path: string, content: string | Uint8Array, audience: Audience): void => {
  try {
    writeNew(path, content, {mode: audience === 'user' ? 0o600 : undefined, audience, isDurable: true})
  } catch (error) {
    throw writeFailure(path, error)
  }
}

const modeOf = (path: string): number | undefined => {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return undefined
  }
}

/**
 * Makes a rename or an unlink in this folder durable. File systems that can't sync a folder are left alone.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const syncDirectory = (path: string): void => {
  let fd: number | undefined
  try {
    fd = openSync(path, constants.O_RDONLY)
    fsyncSync(fd)
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'EISDIR', 'EACCES', 'ENOTSUP'].includes(errnoOf(error) ?? ''))
      throw writeFailure(path, error)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Creates a folder and those above it. `user` folders are 0700 whatever the umask (W33). */
export const makeDirectory = (path: string, audience: Audience): void => {
  try {
    mkdirSync(path, {recursive: true, mode: audience === 'user' ? 0o700 : 0o777})
  } catch (error) {
    throw writeFailure(path, error)
  }
}

/**
 * Removes a file; nothing happens when there is none.
 * @throws JpError `file_unwritable`.
 */
export const removeFile = (path: string): void => {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!isMissing(error)) throw writeFailure(path, error)
  }
}

/** What is in a folder, with its kinds; nothing when there is no such folder. @throws JpError `file_unreadable`. */
export const listEntries = (path: string): Dirent[] => listing(path, () => readdirSync(path, {withFileTypes: true}))

/** The names in a folder in any order; none when there is no such folder. @throws JpError `file_unreadable`. */
export const namesIn = (path: string): string[] => listing(path, () => readdirSync(path))

/** As {@link namesIn}, sorted. */
export const listNames = (path: string): string[] => namesIn(path).sort()

const listing = <Entry>(path: string, read: () => Entry[]): Entry[] => {
  try {
    return read()
  } catch (error) {
    if (isMissing(error)) return []
    throw readFailure(path, error)
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
