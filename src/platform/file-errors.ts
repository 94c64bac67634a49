import type {ErrorCode} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'the file is busy',
  EDQUOT: 'the disk quota is used up',
  EIO: 'input/output error',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a symbolic link',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files on this machine',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
}

/** The `code` of a Node system error (`ENOENT`), or undefined. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** True when the path, or a folder above it, does not exist. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')

/** A system error in words: `permission denied`. */
export const reasonOf = (error: unknown): string => {
  const errno = errnoOf(error)
  return (errno === undefined ? undefined : reasons[errno]) ?? (error instanceof Error ? error.message : String(error))
}

/** Turns a failed read of `path` into `file_not_found` or `file_unreadable`. */
export const readFailure = (path: string, error: unknown): JpError => {
  if (error instanceof JpError) return error
  const code: ErrorCode = isMissing(error) ? 'file_not_found' : 'file_unreadable'
  return new JpError(code, `Can't read ${path}: ${reasonOf(error)}.`, {cause: error})
}

/** Turns a failed write to `path` into `disk_full` or `file_unwritable`. */
export const writeFailure = (path: string, error: unknown): JpError => {
  if (error instanceof JpError) return error
  const full = ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '')
  return new JpError(full ? 'disk_full' : 'file_unwritable', `Can't write ${path}: ${reasonOf(error)}.`, {
    cause: error,
    hint: full ? 'Nothing was changed. Free some space and run the command again.' : undefined,
  })
}
