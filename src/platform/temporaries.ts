import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {listNames} from './files.js'
import {isProcessAlive} from './processes.js'
import {writerOf} from './temporary-name.js'

/** What writers that are gone left in a folder: paths. Those of a living process are its own business. */
export const deadTemporaries = (directory: string): readonly string[] =>
  listNames(directory)
    .filter((name) => {
      const pid = writerOf(name)
      return pid !== undefined && !isProcessAlive(pid)
    })
    .map((name) => join(directory, name))

/** Removes what writers that are gone left in a folder. */
export const sweepTemporaries = (directory: string): void => {
  for (const path of deadTemporaries(directory)) {
    try {
      rmSync(path, {recursive: true})
    } catch {
      // Another run swept it first, or the folder is read-only: either way it is not ours to report.
    }
  }
}
