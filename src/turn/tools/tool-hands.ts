import {dirname} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import type {ChildCommand} from '../../platform/child-process.js'
import {decodeText} from '../../platform/decode-text.js'
import {makeDirectory, readBytes, writeAtomic} from '../../platform/files.js'
import type {CommandEnd} from './outcome.js'
import {type CommandBounds, runCommand} from './run-command.js'

/** The text files of a checkout as built-in tools touch them. Paths are absolute, and proven to lie inside it. */
export interface TextFiles {
  /** @throws JpError `file_not_found`, `file_refused` for what is no text, `file_unreadable`; `interrupted`. */
  read(path: string, signal: AbortSignal): Promise<string>
  /** Missing folders are made. @throws JpError `disk_full`, `file_unwritable`; `interrupted`. */
  write(path: string, text: string, signal: AbortSignal): Promise<void>
}

/** Runs the command of a tool call to its end. Never rejects for what the command does. */
export type RunCommand = (
  command: Omit<ChildCommand, 'stdin'>,
  signal: AbortSignal,
  call: CommandBounds & {readonly callId: string},
) => Promise<CommandEnd>

/** What built-in tools do their work with: jp's own hands, or those of an editor that it works for (D27). */
export type ToolHands = {readonly files: TextFiles; readonly run: RunCommand}

/** The largest file that a built-in tool reads or changes. Unit: bytes. */
const maxFileBytes = 16 * 1024 * 1024

/** The text of a file. @throws JpError as `readBytes`, `file_refused` for what is no text. */
export const readTextFile = (path: string): string => {
  const decoded = decodeText(readBytes(path, {maxBytes: maxFileBytes}))
  if (decoded.repaired) throw new JpError('file_refused', `${path} is not a text file.`)
  return decoded.text
}

/** jp's own hands: the disk, and children in groups of their own. */
export const ownHands: ToolHands = {
  files: {
    read: async (path) => readTextFile(path),
    async write(path, text) {
      makeDirectory(dirname(path), 'umask')
      writeAtomic(path, text, 'umask')
    },
  },
  run: runCommand,
}
