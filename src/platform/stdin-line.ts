import {readSync} from 'node:fs'
import {JpError} from '../errors/jp-error.js'
import {errnoOf, readFailure} from './file-errors.js'
import {pause} from './pause.js'
import {isTerminal} from './terminal.js'

const maxLineBytes = 16 * 1024

/**
 * The first line of stdin, without its line feed. Read byte by byte, so that what follows stays for the command (a
 * `while read` loop, a message).
 * @throws JpError `usage` when stdin is a terminal, empty, or has no line end within 16 KB; `file_unreadable`.
 */
export const readFirstLineOfStdin = async (): Promise<string> => {
  if (isTerminal(0)) throw new JpError('usage', 'A target of - is read from stdin, which is a terminal here.')
  const bytes: number[] = []
  const one = Buffer.alloc(1)
  for (;;) {
    const got = await readByte(one)
    if (got === 0 || one[0] === 0x0a) break
    if (bytes.length === maxLineBytes) throw new JpError('usage', 'The first line of stdin is too long for a target.')
    bytes.push(one[0] ?? 0)
  }
  const line = Buffer.from(bytes).toString('utf8').trim()
  if (line === '') throw new JpError('usage', 'A target of - is read from stdin, whose first line is empty.')
  return line
}

/** stdin may be set to non-blocking by whoever shares it. */
const readByte = async (into: Buffer): Promise<number> => {
  for (;;) {
    try {
      return readSync(0, into)
    } catch (error) {
      if (errnoOf(error) === 'EOF') return 0
      if (errnoOf(error) !== 'EAGAIN') throw readFailure('stdin', error)
      await pause(5)
    }
  }
}
