import type {ErrorCode} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'

/** How many lines of a server's stderr an error shows in its message; its details hold all that were kept. */
const shownLines = 10

/** An error of a server: its name in front, and what it last wrote to stderr behind (FR-31). */
export const serverError = (
  code: ErrorCode,
  name: string,
  failure: {
    readonly says: string
    readonly stderr?: readonly string[]
    readonly hint?: string
    readonly cause?: unknown
  },
): JpError => {
  const lines = failure.stderr ?? []
  const wrote = lines.length === 0 ? '' : ` It wrote:\n${lines.slice(-shownLines).join('\n')}`
  return new JpError(code, `MCP server "${name}" ${failure.says}.${wrote}`, {
    hint: failure.hint,
    cause: failure.cause,
    details: {server: name, ...(lines.length === 0 ? {} : {stderr: lines})},
  })
}
