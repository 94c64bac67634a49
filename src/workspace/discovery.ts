import {dirname, join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {type Checkout, storageName} from './checkout.js'
import {hasStorage, readWorkspaceId} from './workspace-id-file.js'

/**
 * The nearest folder at or above `start` that has a `.jp` folder (W1), or undefined. Knows nothing of git or `$HOME`.
 * @param start a canonical path.
 * @param reserved folders that are no `.jp` of a checkout whatever their name: the user's own data and configuration.
 * @throws JpError `file_refused` when the nearest `.jp` is a link or a special file, `file_unreadable`.
 */
export const findRootAbove = (start: string, reserved: readonly string[] = []): string | undefined => {
  for (let folder = start; ; folder = dirname(folder)) {
    if (!reserved.includes(join(folder, storageName)) && hasStorage(folder)) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** What a path lies in. */
export type Place =
  /** In no checkout. `exists` is false when the path itself is not there. */
  | {readonly kind: 'outside'; readonly path: string; readonly exists: boolean}
  | {readonly kind: 'inside'; readonly checkout: Checkout}
  /** In a checkout that does not say which workspace it is of: its `.jp/.id` is missing. */
  | {readonly kind: 'unnamed'; readonly root: string}
  /** In one that can't be used: its `.jp` is refused, or its id can't be read. */
  | {readonly kind: 'unusable'; readonly error: JpError}

/** Finds out what a path lies in. Reads only; a relative path is no argument. */
export const locate = (path: string, reserved: readonly string[] = []): Place => {
  const start = canonicalIfPresent(path)
  if (start === undefined) return {kind: 'outside', path, exists: false}
  try {
    const root = findRootAbove(start, reserved)
    if (root === undefined) return {kind: 'outside', path: start, exists: true}
    const id = readWorkspaceId(root)
    return id === undefined ? {kind: 'unnamed', root} : {kind: 'inside', checkout: {id, root}}
  } catch (error) {
    if (error instanceof JpError) return {kind: 'unusable', error}
    throw error
  }
}
