import {spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'

/** The root of the repository under test. */
export const repository = resolve(import.meta.dirname, '..', '..')

/** The built launcher. */
export const launcher = join(repository, 'bin', 'jp.js')

/** Where the real workspace and the tools are that lie beside the checkout; undefined when they are absent (Q35). */
export const sharedFolder = (): string | undefined => {
  const path = process.env['JP_SHARED_DIR'] ?? resolve(repository, '..', 'shared')
  return existsSync(path) ? path : undefined
}

/** How one run of jp ended. */
export type Run = {
  readonly stdout: string
  readonly stderr: string
  /** The exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals
}

/** What a run is given. */
export type RunOptions = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Text on stdin; without it stdin is empty and closed. */
  readonly input?: string | Uint8Array
  readonly timeoutMs?: number
  /** Is given all of stderr so far whenever there is more. */
  readonly onStderr?: (text: string) => void
}

/**
 * Runs the built jp without a terminal (`detached` gives it a session of its own) and gathers what it printed.
 * Rejects when it does not end in time.
 */
export const runJp = (args: readonly string[], options: RunOptions): Promise<Run> =>
  new Promise((settle, reject) => {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: options.cwd,
      env: options.env,
      stdio: 'pipe',
      detached: true,
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => {
      err.push(bytes)
      options.onStderr?.(Buffer.concat(err).toString())
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`jp ${args.join(' ')} did not end; so far: ${Buffer.concat([...out, ...err]).toString()}`))
    }, options.timeoutMs ?? 60_000)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      settle({stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), code: signal ?? code ?? -1})
    })
  })
