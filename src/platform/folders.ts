import {mkdirSync, renameSync, rmSync} from 'node:fs'
import {dirname} from 'node:path'
import {isMissing, writeFailure} from './file-errors.js'
import {statOf} from './file-stat.js'
import {type Audience, makeDirectory, syncDirectory} from './files.js'
import {temporaryOf} from './temporary-name.js'

/**
 * Makes a folder with all that is in it appear at once: readers see nothing or the whole of it.
 * @param fill writes the content into the folder that it is given.
 * @throws JpError `disk_full`, `file_unwritable` (also when the path is taken). Nothing is left behind.
 */
export const publishFolder = (path: string, audience: Audience, fill: (folder: string) => void): void => {
  makeDirectory(dirname(path), audience)
  const temporary = temporaryOf(path)
  try {
    mkdirSync(temporary, {mode: audience === 'user' ? 0o700 : 0o777})
    fill(temporary)
    syncDirectory(temporary)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, {recursive: true, force: true})
    throw writeFailure(path, error)
  }
  syncDirectory(dirname(path))
}

/**
 * Moves a folder to a path that is free. Nothing is copied, so it works within one file system only.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const moveFolder = (from: string, to: string, audience: Audience): void => {
  makeDirectory(dirname(to), audience)
  try {
    renameSync(from, to)
    syncDirectory(dirname(to))
    if (dirname(from) !== dirname(to)) syncDirectory(dirname(from))
  } catch (error) {
    throw writeFailure(to, error)
  }
}

/**
 * Removes a folder: it vanishes at once, then what is in it goes. Nothing happens when there is none.
 * @throws JpError `file_unwritable`.
 */
export const removeFolder = (path: string): void => {
  const doomed = temporaryOf(path)
  try {
    renameSync(path, doomed)
    try {
      syncDirectory(dirname(path))
    } finally {
      empty(doomed)
    }
  } catch (error) {
    if (!isMissing(error)) throw writeFailure(path, error)
  }
}

/** It has no name any more that anybody reads; what stands in the way for a moment must not leave half of it. */
const empty = (doomed: string): void => {
  try {
    rmSync(doomed, {recursive: true, force: true})
  } catch {
    rmSync(doomed, {recursive: true, force: true})
  }
}

/** True when something has this name, a dangling link included. @throws JpError `file_unreadable`. */
export const isTaken = (path: string): boolean => statOf(path) !== undefined
