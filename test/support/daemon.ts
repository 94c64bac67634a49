import {spawn} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {Socket} from 'node:net'
import {join} from 'node:path'
import {launcher, repository} from './jp.js'
import type {Scratch} from './scratch.js'

/** A running `jp serve`. */
export interface TestDaemon {
  readonly url: string
  readonly port: number
  readonly token: string | undefined
  readonly pid: number
  /** All that it said on stderr so far. */
  readonly log: string
  readonly stdout: string
  /** Sends a request with the token; the answer with its JSON. */
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  signal(signal: NodeJS.Signals): void
  /** Settles with the exit code. */
  readonly exited: Promise<number | NodeJS.Signals>
  /** Ends it in order, and proves that it ended well. */
  stop(): Promise<void>
}

/** An answer of the daemon. */
export type Answer = {
  readonly status: number
  /** What a test reads, it asserts. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: Readonly<Record<string, any>>
  readonly headers: Headers
}

/** The example agent as `--agent`. */
export const exampleAgent = (...flags: readonly string[]): string =>
  [process.execPath, join(repository, 'test', 'support', 'example-agent.ts'), ...flags]
    .map((word) => `'${word}'`)
    .join(' ')

/** Starts `jp serve` on a free port and waits until it listens. Rejects with what it said when it ends before. */
export const startDaemon = (
  scratch: Scratch,
  args: readonly string[],
  options: {readonly env?: Readonly<Record<string, string>>; readonly cwd?: string; readonly port?: number} = {},
): Promise<TestDaemon> => {
  const argv = [launcher, 'serve', '--port', String(options.port ?? 0), ...args]
  const child = spawn(process.execPath, argv, {
    cwd: options.cwd ?? scratch.path,
    env: {...scratch.env, ...options.env},
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // A test that fails before it stops its daemon leaves it to the end of the run, and holds that up no longer.
  child.unref()
  for (const pipe of [child.stdout, child.stderr]) if (pipe instanceof Socket) pipe.unref()
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  let log = ''
  let stdout = ''
  child.stderr.on('data', (bytes) => {
    log += bytes
  })
  const exited = new Promise<number | NodeJS.Signals>((resolve) =>
    child.on('exit', (code, signal) => {
      process.off('exit', end)
      resolve(signal ?? code ?? -1)
    }),
  )
  return new Promise((resolve, reject) => {
    void exited.then((code) => reject(new Error(`jp serve ended with ${code}: ${log}`)))
    child.stdout.on('data', (bytes) => {
      stdout += bytes
      const url = /http:\/\/[^\s"]+/.exec(stdout)?.[0]
      if (!stdout.includes('\n') || url === undefined) return
      const port = Number(new URL(url).port)
      const token = tokenOf(scratch, port)
      resolve({
        url,
        port,
        token,
        pid: child.pid ?? 0,
        exited,
        get log() {
          return log
        },
        get stdout() {
          return stdout
        },
        ask: (method, path, body, headers = {}) => ask(url, {method, path, body, headers, token}),
        signal: (signal) => void child.kill(signal),
        async stop() {
          child.kill('SIGTERM')
          const code = await exited
          if (code !== 0) throw new Error(`jp serve ended with ${code}: ${log}`)
        },
      })
    })
  })
}

const tokenOf = (scratch: Scratch, port: number): string | undefined => {
  const text = readFileSync(join(scratch.data, 'serve', `${port}.json`), 'utf8')
  return (JSON.parse(text) as {readonly token?: string}).token
}

type Asked = {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly token: string | undefined
}

const ask = async (url: string, {method, path, body, headers, token}: Asked): Promise<Answer> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
      ...(body === undefined ? {} : {'content-type': 'application/json'}),
      ...headers,
    },
    ...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
  })
  const text = await response.text()
  return {status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text)}
}
