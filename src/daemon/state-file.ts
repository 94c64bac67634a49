import {dirname} from 'node:path'
import {hasCode} from '../errors/jp-error.js'
import {makeDirectory, readTextIfPresent, writeAtomic} from '../platform/files.js'
import {setAside} from '../platform/set-aside.js'
import {sweepTemporaries} from '../platform/temporaries.js'

/** A file of JSON that the daemon keeps for itself, private to the user: one object. */
export interface StateFile {
  /** Its fields; none when there is no such file, or one that does not parse. Writes nothing. */
  read(): Readonly<Record<string, unknown>>
  /**
   * Replaces it. One that does not parse is set aside first: what a user could still save is not written over (FR-15).
   * @throws JpError `disk_full`, `file_unwritable`.
   */
  write(content: Readonly<Record<string, unknown>>): void
}

/** The largest file that is read. Unit: bytes. */
const maxBytes = 16 * 1024 * 1024

/** Creates it in memory; its folder is made with the first write. */
export const createStateFile = (path: string): StateFile => ({
  read() {
    const content = contentOf(path)
    return content === 'damaged' ? {} : content
  },
  write(content) {
    makeDirectory(dirname(path), 'user')
    sweepTemporaries(dirname(path))
    if (contentOf(path) === 'damaged') setAside(path)
    writeAtomic(path, `${JSON.stringify({version: 1, ...content}, undefined, 2)}\n`, 'user')
  },
})

const contentOf = (path: string): Readonly<Record<string, unknown>> | 'damaged' => {
  try {
    const text = readTextIfPresent(path, {maxBytes})
    if (text === undefined) return {}
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? {...value} : 'damaged'
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'file_corrupt', 'file_refused')) return 'damaged'
    throw error
  }
}
