import {type ChildProcess, spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import type {Browser} from 'playwright-core'
import {launcher} from './jp.js'

/** A `jp serve web` of one test. */
export type Web = {
  /** With the token, as it was printed. */
  readonly url: string
  /** `http://127.0.0.1:…` */
  readonly origin: string
  /** jp, not the plugin. */
  readonly jp: ChildProcess
  /** How jp fares: what it said on stderr, and how it ended if it has. */
  state(): string
  /** Ends jp as Ctrl-C does; settles when it has ended. */
  stop(): Promise<void>
}

/** Starts the server on a free port; settles when it tells its address. */
export const startWeb = (
  {cwd, env}: {readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>},
  ...args: readonly string[]
): Promise<Web> =>
  new Promise((resolve, reject) => {
    const port = args.some((arg) => arg.startsWith('--port')) ? [] : ['--port', '0']
    const jp = spawn(process.execPath, [launcher, 'serve', 'web', ...port, ...args], {
      cwd,
      env,
      stdio: 'pipe',
      detached: true,
    })
    const ended = new Promise<void>((settle) => jp.once('exit', () => settle()))
    let [out, errors] = ['', '']
    jp.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
    jp.stdout.on('data', (bytes: Buffer) => {
      out += bytes.toString()
      const url = /Open (\S+)\n/.exec(out)?.[1]
      if (url === undefined) return
      const stop = (): Promise<void> => {
        jp.kill('SIGINT')
        return ended
      }
      const state = (): string => `jp (exit ${jp.exitCode ?? jp.signalCode ?? 'not yet'}) said: ${errors}`
      resolve({url, origin: new URL(url).origin, jp, state, stop})
    })
    jp.once('exit', (code) => reject(new Error(`jp serve web ended with ${code}: ${errors}`)))
  })

/** Debian's Chromium; undefined where there is none. */
export const launchBrowser = async (): Promise<Browser | undefined> => {
  const executablePath = process.env['JP_CHROMIUM'] ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) return undefined
  const {chromium} = await import('playwright-core')
  return chromium.launch({executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage']})
}
