import {writeSync} from 'node:fs'
import {errnoOf} from './file-errors.js'

/** How long a full pipe is left alone before it is tried again. Unit: milliseconds. */
const retryMs = 2

/**
 * Writes all of a text to a descriptor before it returns. A pipe that somebody set to non-blocking is waited for.
 * @throws the error of the system: `EPIPE` when nobody reads any more, `ENOSPC` …
 */
export const writeWhole = (fd: number, text: string): void => {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done)
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
    }
  }
}
