import {lstatSync, statSync} from 'node:fs'
import {extname, join, relative} from 'node:path'
import {canonicalIfPresent, isInside, resolveInside} from '../platform/contained-path.js'
import {isMissing, readFailure} from '../platform/file-errors.js'
import type {ConfigPlace} from './layers.js'
import {formats} from './syntax.js'

/** The files with this name and one of our endings, the one that counts first. */
export const configFilesNamed = (folder: string, stem: string): string[] =>
  formats.map((format) => join(folder, `${stem}.${format}`)).filter(exists)

const exists = (path: string): boolean => {
  try {
    lstatSync(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw readFailure(path, error)
  }
}

/** True for a file, or a link to one. */
export const isFile = (path: string): boolean => {
  try {
    return !statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The file at a path: with its own ending first, then with each of ours in its place or behind it. */
export const findConfigFile = (path: string): string | undefined => {
  if (isFile(path)) return path
  const ending = extname(path)
  const known = formats.some((format) => `.${format}` === ending)
  const stem = known ? path.slice(0, -ending.length) : path
  return formats.map((format) => `${stem}.${format}`).find(isFile)
}

/** True when a file, its links resolved, lies in a checkout. */
export const liesInside = (root: string, path: string): boolean => {
  const canonical = canonicalIfPresent(path)
  return canonical !== undefined && isInside(canonicalIfPresent(root) ?? root, canonical)
}

/**
 * True when a file travels with the checkout. What lies in the user's own folders is the user's, also where these lie in
 * the checkout (a home folder, or one of dotfiles, that is a workspace).
 */
export const isOfCheckout = (place: ConfigPlace, path: string): boolean => {
  const {checkoutRoot, directories, silo} = place
  if (checkoutRoot === undefined || !liesInside(checkoutRoot, path)) return false
  return ![directories.config, ...(silo === undefined ? [] : [silo])].some((folder) => liesInside(folder, path))
}

/**
 * Proves that a file which a checkout names lies in it: nothing of a checkout is followed out of it (W32).
 * @throws JpError `file_refused`.
 */
export const proveInside = (root: string, path: string): void => {
  resolveInside(root, relative(root, path))
}
