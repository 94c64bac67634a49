import {createHash} from 'node:crypto'
import {closeSync, constants, openSync, readSync} from 'node:fs'

const blockBytes = 256 * 1024

/** The SHA-256 of a file in hex, read in bounded memory; undefined when it can't be read. */
export const sha256OfFile = (path: string): string | undefined => {
  let fd: number | undefined
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const hash = createHash('sha256')
    const block = Buffer.allocUnsafe(blockBytes)
    for (;;) {
      const got = readSync(fd, block, 0, block.length, null)
      if (got === 0) return hash.digest('hex')
      hash.update(block.subarray(0, got))
    }
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
