import {isUtf8} from 'node:buffer'
import {JpError} from '../errors/jp-error.js'

/** The most that is read from stdin for a list of targets, and for a file. Unit: bytes. */
const maxTargetBytes = 1024 * 1024
const maxFileBytes = 1024 * 1024 * 1024

/**
 * The lines of stdin, trimmed, blank ones left out: for `-` as a target. Never a terminal's (Q1).
 * @throws JpError `usage`.
 */
export const readStdinLines = async (): Promise<readonly string[]> => {
  const text = await readStdin('The target - is read from stdin', maxTargetBytes)
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The whole of stdin, which is a file's new content. Never a terminal's. @throws JpError `usage`. */
export const readStdinText = (): Promise<string> => readStdin('The new content is read from stdin', maxFileBytes)

const readStdin = async (what: string, maxBytes: number): Promise<string> => {
  if (process.stdin.isTTY) throw new JpError('usage', `${what}, and stdin is a terminal.`, {hint: 'Pipe it in.'})
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes) throw new JpError('usage', `${what}, and it is larger than ${maxBytes} bytes.`)
    chunks.push(bytes)
  }
  const whole = Buffer.concat(chunks)
  if (!isUtf8(whole)) throw new JpError('usage', `${what}, and it is not UTF-8.`)
  return whole.toString('utf8')
}
