import {dirname} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {writeFailure} from './file-errors.js'
import {makeDirectory, putInPlace} from './files.js'
import {sweepTemporaries} from './temporaries.js'

/**
 * Writes a file that can be rebuilt, below the user's cache folder: whole or not at all for every reader, but not proven
 * to survive a power cut. Its folder is created.
 * @throws JpError `disk_full`, `file_unwritable`. Nothing is left behind.
 */
export const writeCache = (path: string, content: Uint8Array): void => {
  makeDirectory(dirname(path), 'user')
  sweepTemporaries(dirname(path))
  try {
    putInPlace(path, content, {audience: 'user', isDurable: false})
  } catch (error) {
    throw writeFailure(path, error)
  }
}

/** As {@link writeCache}, where a file that can't be written costs time at the next run and nothing else. */
export const tryWriteCache = (path: string, content: Uint8Array): void => {
  try {
    writeCache(path, content)
  } catch (error) {
    if (!(error instanceof JpError)) throw error
  }
}
