import {JpError} from '../errors/jp-error.js'

/** The error for a file of a conversation that can't be understood. `reason` reads on from the path. */
export const corruptFile = (path: string, reason: string, cause?: unknown): JpError =>
  new JpError('conversation_corrupt', `${path}: ${reason}.`, {
    cause,
    hint: 'Nothing was changed. "jp doctor" shows what is wrong with it, "jp doctor --fix" repairs it or sets it aside.',
  })

/** What `JSON.parse` says, without the text that it quotes. */
export const jsonReason = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  const where = /at position (\d+)/.exec(message)?.[1]
  if (/Unexpected end|Unterminated string/.test(message)) return 'it is cut off'
  return where === undefined ? 'it is not JSON' : `it is not JSON at character ${where}`
}
