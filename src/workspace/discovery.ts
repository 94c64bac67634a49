import {dirname} from 'node:path'
import {hasStorage} from './workspace-id-file.js'

/**
 * The nearest folder at or above `start` that has a `.jp` folder (W1), or undefined. Knows nothing of git or `$HOME`.
 * @param start a canonical path.
 */
export const findRootAbove = (start: string): string | undefined => {
  for (let folder = start; ; folder = dirname(folder)) {
    if (hasStorage(folder)) return folder
    if (folder === dirname(folder)) return undefined
  }
}
