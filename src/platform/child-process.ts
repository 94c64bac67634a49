import type {Readable, Writable} from 'node:stream'
import {JpError} from '../errors/jp-error.js'
import {monotonicMs} from './clock.js'
import {reasonOf} from './file-errors.js'

/** What to start. There is no shell: arguments arrive as they are. */
export type ChildCommand = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment of the child; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: 'pipe' | 'ignore'
}

/** How a child ended. */
export type ChildExit = {readonly code: number} | {readonly signal: NodeJS.Signals}

/** A running child in a process group of its own. */
export interface Child {
  readonly pid: number
  /** Undefined when started with `stdin: 'ignore'`. */
  readonly stdin: Writable | undefined
  readonly stdout: Readable
  readonly stderr: Readable
  /** Settles when the child itself has ended; never rejects. */
  readonly exited: Promise<ChildExit>
  /** Sends a signal to the whole group; to nobody once all of it have ended. */
  signal(signal: NodeJS.Signals): void
  /**
   * Ends the whole group: SIGTERM, then SIGKILL after `graceMs`. Settles when nobody of the group is left to wait for.
   */
  endGroup(graceMs: number): Promise<void>
}

/** The groups that may have members. The number of one that has none is free: the system may give it to somebody else. */
const living = new Set<number>()
let hooked = false

/**
 * The one spawner. Every child leads its own process group, so that a grandchild that holds the pipes can be ended too;
 * whatever is left of a group when jp exits is killed.
 * @throws JpError `child_failed` when the program can't be started.
 */
export const startChild = async (what: ChildCommand): Promise<Child> => {
  const {execa} = await import('execa')
  const subprocess = execa(what.command, [...what.args], {
    cwd: what.cwd,
    env: definedOnly(what.env),
    extendEnv: false,
    stdin: what.stdin,
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    detached: true,
    cleanup: false,
    stripFinalNewline: false,
  })
  const pid = subprocess.pid
  if (pid === undefined) {
    const failed = await subprocess
    throw new JpError('child_failed', `Can't start ${what.command}: ${startReason(failed)}.`, {cause: failed})
  }
  killOnExit(pid)
  const exited = new Promise<ChildExit>((resolve) => {
    subprocess.nodeChildProcess.once('exit', (code, signal) => {
      if (!groupIsAlive(pid)) living.delete(pid)
      resolve(signal === null ? {code: code ?? 1} : {signal})
    })
  })
  subprocess.catch(() => undefined)
  const signal = (name: NodeJS.Signals): void => {
    if (living.has(pid)) signalGroup(pid, name)
  }
  return {
    pid,
    stdin: what.stdin === 'pipe' ? (subprocess.stdin ?? undefined) : undefined,
    stdout: subprocess.stdout,
    stderr: subprocess.stderr,
    exited,
    signal,
    endGroup: (graceMs) => (living.has(pid) ? endGroup(pid, graceMs) : Promise.resolve()),
  }
}

/**
 * Runs a program in the foreground of the terminal itself (an editor), whatever stdin and stdout are. Settles with how it
 * ended.
 * @throws JpError `child_failed` when it can't be started.
 */
export const runOnTerminal = async (
  what: Omit<ChildCommand, 'stdin'>,
  terminal: {readonly inputFd: number; readonly outputFd: number},
): Promise<ChildExit> => {
  const {spawn} = await import('node:child_process')
  const {inputFd, outputFd} = terminal
  return new Promise((resolve, reject) => {
    // In jp's own process group: a background group must not use the terminal.
    const child = spawn(what.command, [...what.args], {
      cwd: what.cwd,
      env: definedOnly(what.env),
      stdio: [inputFd, outputFd, outputFd],
    })
    child.once('error', (error) =>
      reject(new JpError('child_failed', `Can't start ${what.command}: ${reasonOf(error)}.`, {cause: error})),
    )
    child.once('exit', (code, signal) => resolve(signal === null ? {code: code ?? 1} : {signal}))
  })
}

const startReason = (failed: unknown): string =>
  typeof failed === 'object' && failed !== null && 'cause' in failed ? reasonOf(failed.cause) : reasonOf(failed)

const definedOnly = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))

const killOnExit = (pid: number): void => {
  living.add(pid)
  if (hooked) return
  hooked = true
  process.once('exit', () => {
    for (const group of living) signalGroup(group, 'SIGKILL')
  })
}

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // Nobody is left in the group.
  }
}

const groupIsAlive = (pid: number): boolean => {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Ends a process group: SIGTERM, then SIGKILL after `graceMs`. Settles when nobody of it is left to wait for.
 */
export const endGroup = async (pid: number, graceMs: number): Promise<void> => {
  signalGroup(pid, 'SIGTERM')
  const deadline = monotonicMs() + graceMs
  while (groupIsAlive(pid) && monotonicMs() < deadline) await delay(10)
  if (groupIsAlive(pid)) signalGroup(pid, 'SIGKILL')
  living.delete(pid)
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
