import {JpError} from '../errors/jp-error.js'

/** The most that is read from stdin for a list of targets. Unit: bytes. */
const maxBytes = 1024 * 1024

/**
 * The lines of stdin, trimmed, blank ones left out: for `-` as a target. Never a terminal's (Q1).
 * @throws JpError `usage`.
 */
export const readStdinLines = async (): Promise<readonly string[]> => {
  if (process.stdin.isTTY) {
    throw new JpError('usage', 'The target - is read from stdin, and stdin is a terminal.', {
      hint: 'Pipe the ids into the command, one a line.',
    })
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes) throw new JpError('usage', 'stdin holds more than 1 MB of targets.')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
