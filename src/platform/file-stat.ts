import {lstatSync, type Stats} from 'node:fs'
import {readFailure} from './file-errors.js'

/**
 * What lies at a path: a link itself, not what it points to. Undefined when nothing does.
 * @throws JpError `file_unreadable`: a folder above it may not be searched, a name is too long, a disk fails.
 */
export const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, quietly)
  } catch (error) {
    throw readFailure(path, error)
  }
}

const quietly = {throwIfNoEntry: false} as const
