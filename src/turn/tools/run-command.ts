import {JpError} from '../../errors/jp-error.js'
import type {ChildCommand, ChildExit} from '../../platform/child-process.js'
import {startChild} from '../../platform/child-process.js'
import {settledWithin} from '../../platform/pause.js'
import {gatherBounded} from './bounded-output.js'
import type {CommandEnd} from './outcome.js'

/** Bounds of one command. Unit: milliseconds. */
export type CommandBounds = {
  /** After this time the command is ended; 0 is never. */
  readonly timeoutMs: number
}

/** How long a command may take to end once it is asked to, and how long a child of it may hold the pipes. */
const graceMs = 2000
const pipeGraceMs = 500

/**
 * Runs a program to its end, whatever it does (W26): what it prints is bounded, nothing of its process group lives on, and
 * `signal` ends it. Never rejects for what the program does.
 */
export const runCommand = async (
  what: Omit<ChildCommand, 'stdin'>,
  signal: AbortSignal,
  {timeoutMs}: CommandBounds,
): Promise<CommandEnd> => {
  if (signal.aborted) return {stdout: '', stderr: '', failure: 'it was cancelled'}
  let child: Awaited<ReturnType<typeof startChild>>
  try {
    child = await startChild({...what, stdin: 'ignore'})
  } catch (error) {
    if (error instanceof JpError) return {stdout: '', stderr: '', failure: error.message}
    throw error
  }
  const stdout = gatherBounded(child.stdout)
  const stderr = gatherBounded(child.stderr)
  const why = await endedBy(child.exited, signal, timeoutMs)
  if (typeof why === 'string') await child.endGroup(graceMs)
  else await settledWithin(Promise.all([stdout.ended, stderr.ended]), pipeGraceMs)
  await child.endGroup(graceMs)
  child.stdout.destroy()
  child.stderr.destroy()
  return {
    stdout: stdout.text(),
    stderr: stderr.text(),
    failure: typeof why === 'string' ? why : failureOf(why),
  }
}

/** How the command itself ended, or why it is not waited for any longer. */
const endedBy = (exited: Promise<ChildExit>, signal: AbortSignal, timeoutMs: number): Promise<ChildExit | string> =>
  new Promise((resolve) => {
    const cancel = (): void => settle('it was cancelled')
    const timer =
      timeoutMs === 0 ? undefined : setTimeout(() => settle(`it ran longer than ${timeoutMs / 1000} s`), timeoutMs)
    const settle = (end: ChildExit | string): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      resolve(end)
    }
    signal.addEventListener('abort', cancel)
    void exited.then(settle)
  })

const failureOf = (exit: ChildExit): string | undefined => {
  if ('signal' in exit) return `signal ${exit.signal}`
  return exit.code === 0 ? undefined : `exit code ${exit.code}`
}
