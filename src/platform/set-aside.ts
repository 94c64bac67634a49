import {linkSync, unlinkSync} from 'node:fs'
import {errnoOf, isMissing, writeFailure} from './file-errors.js'

/**
 * Moves a state file that does not parse out of the way, so that a new one can be written and its bytes stay (FR-15):
 * `x.json` becomes `x.json.damaged`, or `.damaged-2` and so on.
 * @returns where it lies, or undefined when there was no such file.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const setAside = (path: string): string | undefined => {
  for (let copy = 1; ; copy++) {
    const aside = `${path}.damaged${copy === 1 ? '' : `-${copy}`}`
    try {
      // A link, unlike a rename, never replaces what was set aside before.
      linkSync(path, aside)
      unlinkSync(path)
      return aside
    } catch (error) {
      if (isMissing(error)) return undefined
      if (errnoOf(error) !== 'EEXIST') throw writeFailure(aside, error)
    }
  }
}
