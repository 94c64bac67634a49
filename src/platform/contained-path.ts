import {lstatSync, realpathSync} from 'node:fs'
import {basename, dirname, isAbsolute, join, relative, sep} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {isMissing} from './file-errors.js'

/** True when `path` is `root` or lies below it. Both absolute; compared as text, so make both canonical first. */
export const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The canonical path, or undefined when there is nothing there. */
export const canonicalIfPresent = (path: string): string | undefined => {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** Where a path leads with every link of its existing part resolved; what does not exist yet stays as it is named. */
export const canonicalTarget = (path: string): string => {
  const parent = dirname(path)
  return canonicalIfPresent(path) ?? (parent === path ? path : join(canonicalTarget(parent), basename(path)))
}

/**
 * Joins names below `root` and proves that the result, with every link resolved, lies inside it (W32).
 * Parts that do not exist are fine; `..` and absolute names are not.
 * @throws JpError `file_refused`.
 */
export const resolveInside = (root: string, ...names: readonly string[]): string => {
  const path = join(root, ...names)
  if (names.some((name) => isAbsolute(name)) || !isInside(root, path)) {
    throw new JpError('file_refused', `${path} lies outside ${root}.`)
  }
  const canonicalRoot = canonicalIfPresent(root)
  const canonical = canonicalRoot === undefined ? undefined : deepestCanonical(path)
  if (canonicalRoot !== undefined && canonical !== undefined && !isInside(canonicalRoot, canonical)) {
    throw new JpError('file_refused', `${path} leads outside ${root} through a symbolic link.`)
  }
  return path
}

/** The canonical path of the nearest existing part. A dangling link counts as leading away. */
const deepestCanonical = (path: string): string | undefined => {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  if (isLink(path)) throw new JpError('file_refused', `${path} is a symbolic link that leads nowhere.`)
  const parent = join(path, '..')
  return parent === path ? undefined : deepestCanonical(parent)
}

const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}
