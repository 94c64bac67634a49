import {closeSync, fstatSync, readSync} from 'node:fs'
import {JpError} from '../errors/jp-error.js'
import {readFailure} from './file-errors.js'
import {openForReading} from './files.js'

/**
 * The bytes of a regular file piece by piece, for files that are larger than what memory should hold. Reads one and the
 * same file to its end, also when it is replaced meanwhile.
 * @param chunkBytes how much one piece may hold. A piece is overwritten by the next one.
 * @throws JpError as `readBytes`, at the first piece.
 */
export function* readChunks(path: string, chunkBytes = 256 * 1024): Generator<Buffer> {
  const fd = openRegular(path)
  const chunk = Buffer.allocUnsafeSlow(chunkBytes)
  try {
    for (;;) {
      const length = readSync(fd, chunk)
      if (length === 0) return
      yield chunk.subarray(0, length)
    }
  } catch (error) {
    throw readFailure(path, error)
  } finally {
    closeSync(fd)
  }
}

const openRegular = (path: string): number => {
  let fd: number | undefined
  try {
    fd = openForReading(path, true)
    if (fstatSync(fd).isFile()) return fd
    throw new JpError('file_refused', `${path} is not a regular file.`)
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    throw readFailure(path, error)
  }
}
