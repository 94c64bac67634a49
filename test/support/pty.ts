import {spawn} from '@lydell/node-pty'
import {launcher} from './jp.js'

/** A run of jp on a real terminal. */
export interface TerminalRun {
  /** All that the terminal received so far, escape sequences included. */
  readonly received: string
  /** Settles when the text appears (at or after the last match); rejects when it does not in time. */
  waitFor(text: string | RegExp, timeoutMs?: number): Promise<void>
  type(keys: string): void
  /** Settles with the exit code. */
  readonly exited: Promise<number>
  kill(): void
}

/** What a run on a terminal is given. `shell` runs a command line instead of jp: for redirections. */
export type TerminalOptions = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly columns?: number
  readonly shell?: boolean
}

/** Starts the built jp on a pseudo-terminal of its own. With `shell`, `args` is one command line for `sh -c`. */
export const startOnTerminal = (args: readonly string[], options: TerminalOptions): TerminalRun => {
  const file = options.shell === true ? '/bin/sh' : process.execPath
  const argv = options.shell === true ? ['-c', args.join(' ')] : [launcher, ...args]
  const terminal = spawn(file, argv, {
    name: 'xterm-256color',
    cols: options.columns ?? 100,
    rows: 40,
    cwd: options.cwd,
    env: options.env,
  })
  let received = ''
  let seen = 0
  const watchers = new Set<() => void>()
  let isOver = false
  const exited = new Promise<number>((resolve) => {
    terminal.onExit(({exitCode, signal}) => {
      isOver = true
      resolve(signal === undefined || signal === 0 ? exitCode : 128 + signal)
    })
  })
  terminal.onData((text) => {
    received += text
    for (const check of watchers) check()
  })
  return {
    get received() {
      return received
    },
    waitFor: (text, timeoutMs = 30_000) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const rest = received.slice(seen)
          const at = typeof text === 'string' ? rest.indexOf(text) : rest.search(text)
          if (at === -1) return
          seen += at + 1
          finish(resolve)
        }
        const timer = setTimeout(
          () => finish(() => reject(new Error(`the terminal never showed ${text}; it shows:\n${received}`))),
          timeoutMs,
        )
        const finish = (settle: () => void): void => {
          clearTimeout(timer)
          watchers.delete(check)
          settle()
        }
        watchers.add(check)
        check()
      }),
    type: (keys) => terminal.write(keys),
    exited,
    // The number of a process that is over may be another's.
    kill: () => void (isOver || terminal.kill('SIGKILL')),
  }
}
