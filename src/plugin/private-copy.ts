import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import {basename, join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {createDigest, type Digest} from '../platform/file-digest.js'
import {errnoOf, readFailure, writeFailure} from '../platform/file-errors.js'
import {listNames, makeDirectory} from '../platform/files.js'
import {sweepTemporaries} from '../platform/temporaries.js'
import {type ManifestReading, scanManifest} from './manifest-scan.js'

/** What `plugins.command.<name>.checksum` may be made of. */
export type ChecksumAlgorithm = 'sha256' | 'sha1'

/**
 * The bytes of an executable, taken once: hashed, read and, when admitted, run from a private copy, so that what was
 * hashed is what runs (P30).
 */
export interface TakenExecutable {
  /** Canonical path of the original. */
  readonly path: string
  readonly sha256: string
  /** Only when it was asked for. */
  readonly sha1: string | undefined
  /** What these very bytes say of themselves. */
  readonly reading: ManifestReading
  /** Puts the copy in its place, `<cache>/plugins/bin/<sha256>/<base name>`, and gives its path. */
  keep(): string
  /** Removes what `keep` did not put in place. */
  discard(): void
}

/** How an executable is taken. */
export type TakeOptions = {
  readonly cacheDirectory: string
  readonly pid: number
  /** Hash with SHA-1 too: a pin may ask for it. */
  readonly sha1: boolean
}

/** Copies older than this that no run used go when another comes. Unit: milliseconds. */
const unusedMs = 30 * 24 * 60 * 60 * 1000
const blockBytes = 256 * 1024
let taken = 0

/**
 * Takes an executable: opens its canonical path once, without following a link that came meanwhile, and copies and
 * hashes what it reads there.
 * @throws JpError `file_not_found`, `file_unreadable`, `disk_full`, `file_unwritable`.
 */
export const takeExecutable = (path: string, options: TakeOptions): TakenExecutable => {
  const copies = join(options.cacheDirectory, 'plugins', 'bin')
  makeDirectory(copies, 'user')
  sweepTemporaries(copies)
  const temporary = join(copies, `.${basename(path)}.${options.pid}-${taken++}.tmp`)
  try {
    const original = realpathSync.native(path)
    const copied = copyInto(original, temporary, options.sha1)
    return {
      path: original,
      ...copied,
      keep: () => place(temporary, join(copies, copied.sha256), basename(path)),
      discard: () => rmSync(temporary, {force: true}),
    }
  } catch (error) {
    rmSync(temporary, {force: true})
    throw ['ENOSPC', 'EDQUOT', 'EEXIST'].includes(errnoOf(error) ?? '')
      ? writeFailure(temporary, error)
      : readFailure(path, error)
  }
}

type Copied = Pick<TakenExecutable, 'sha256' | 'sha1' | 'reading'>

const copyInto = (original: string, temporary: string, sha1: boolean): Copied => {
  const from = openSync(original, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(from)
    if (!stat.isFile()) throw new JpError('file_refused', `${original} is not a regular file.`)
    const to = openSync(temporary, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      const hashes = [createDigest('sha256', stat.size), ...(sha1 ? [createDigest('sha1', stat.size)] : [])]
      pump(from, to, hashes)
      const [digest = '', second] = hashes.map((hash) => hash.hex())
      return {sha256: digest, sha1: second, reading: scanManifest(to, original)}
    } finally {
      closeSync(to)
    }
  } finally {
    closeSync(from)
  }
}

const pump = (from: number, to: number, hashes: readonly Digest[]): void => {
  const block = Buffer.allocUnsafe(blockBytes)
  for (;;) {
    const bytes = block.subarray(0, readSync(from, block, 0, block.length, null))
    if (bytes.length === 0) return
    for (const hash of hashes) hash.update(bytes)
    for (let done = 0; done < bytes.length; ) done += writeSync(to, bytes, done)
  }
}

/** The new copy always takes the place of an old one: whatever was done to the old one does not matter. */
const place = (temporary: string, folder: string, name: string): string => {
  const copy = join(folder, name)
  try {
    makeDirectory(folder, 'user')
    const fd = openSync(temporary, constants.O_RDONLY)
    try {
      fchmodSync(fd, 0o700)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, copy)
  } catch (error) {
    throw writeFailure(copy, error)
  }
  return copy
}

/** Removes the copies that no run has used for a month. */
export const pruneCopies = (cacheDirectory: string, nowMs: number): void => {
  const copies = join(cacheDirectory, 'plugins', 'bin')
  for (const name of listNames(copies)) {
    const path = join(copies, name)
    try {
      if (nowMs - statSync(path).mtimeMs > unusedMs) rmSync(path, {recursive: true, force: true})
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
    }
  }
}
