import {dirname} from 'node:path'
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
