import {Agent, request} from 'node:http'
import {JpError} from '../errors/jp-error.js'
import {pause} from '../platform/pause.js'
import {isProcessAlive} from '../platform/processes.js'
import {createRegistrations, type Registration} from './registration.js'

/** A daemon of this user that is running, by its registration. */
export type KnownDaemon = Registration & {readonly pid: number}

/**
 * The running daemon: the one on this port, or the only one.
 * @throws JpError `daemon_not_running`, `daemon_ambiguous`.
 */
export const findDaemon = (dataDirectory: string, port: number | undefined): KnownDaemon => {
  const running = createRegistrations(dataDirectory)
    .all()
    .filter((known): known is KnownDaemon => known.pid !== undefined && isProcessAlive(known.pid))
    .filter((known) => port === undefined || known.port === port)
  const [only, ...more] = running
  if (only === undefined) {
    const where = port === undefined ? '' : ` on port ${port}`
    throw new JpError('daemon_not_running', `No daemon is running${where}.`, {hint: 'Start one: jp serve'})
  }
  if (more.length === 0) return only
  throw new JpError('daemon_ambiguous', `${running.length} daemons are running. Name one:`, {
    hint: running.map((known) => `jp serve status --port ${known.port}`).join('\n'),
    details: {ports: running.map((known) => known.port)},
  })
}

/** How long an answer may take. Unit: milliseconds. */
const answerMs = 5000

/**
 * Asks a daemon something; gives the JSON of its answer. Goes to it directly: a proxy of the environment is not for
 * loopback (FR-47).
 * @throws JpError `daemon_unreachable`.
 */
export const askDaemon = (daemon: KnownDaemon, method: 'GET' | 'POST', path: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({keepAlive: false})
    const fail = (cause: unknown): void =>
      reject(
        new JpError('daemon_unreachable', `The daemon at ${daemon.url} does not answer.`, {
          cause,
          hint: `Is it still starting, or stuck? Its process is ${daemon.pid}.`,
        }),
      )
    const headers = daemon.token === undefined ? {} : {authorization: `Bearer ${daemon.token}`}
    const call = request(
      new URL(path, reachable(daemon.url)),
      {method, agent, headers, timeout: answerMs},
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.once('error', fail)
        response.once('end', () => {
          try {
            const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'))
            if (response.statusCode === 200) resolve(value)
            else fail(value)
          } catch (error) {
            fail(error)
          }
        })
      },
    )
    call.once('timeout', () => call.destroy())
    call.once('error', fail)
    call.end()
  })

/** A daemon that listens on every address is reached on loopback. */
const reachable = (url: string): string => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')

/** What `jp serve status` reads of a daemon's answer. */
export type DaemonReport = {
  readonly daemon: {readonly pid: number; readonly uptimeMs: number; readonly version: string}
  readonly workspaces: readonly {
    readonly id: string
    readonly cwd: string
    readonly primary: boolean
    readonly trusted: boolean
  }[]
  readonly runtime: {
    readonly sessions: {readonly active: number}
    readonly activity: {readonly activePrompts: number}
    readonly permissions: {readonly pending: number}
    readonly transport: {readonly restSseActive: number}
  }
}

/**
 * What a daemon says of itself. Proves that it is the process of the registration: ids of processes are used again.
 * @throws JpError `daemon_unreachable`, `daemon_not_running`.
 */
export const reportOf = async (daemon: KnownDaemon): Promise<DaemonReport> => {
  const report = (await askDaemon(daemon, 'GET', '/daemon/status')) as DaemonReport
  if (report.daemon?.pid === daemon.pid) return report
  throw new JpError('daemon_not_running', `Another process answers at ${daemon.url}.`, {hint: 'Start one: jp serve'})
}

/** How often to look whether a daemon has ended, and for how long. Unit: milliseconds. */
const lookEveryMs = 20
const stopWithinMs = 12_000

/**
 * Ends a daemon as Ctrl-C does, and waits for it.
 * @throws JpError `daemon_unreachable` when it is still there, `daemon_not_running`.
 */
export const stopDaemon = async (daemon: KnownDaemon, terminate: (pid: number) => void): Promise<void> => {
  await reportOf(daemon)
  terminate(daemon.pid)
  for (let waitedMs = 0; waitedMs < stopWithinMs; waitedMs += lookEveryMs) {
    if (!isProcessAlive(daemon.pid)) return
    await pause(lookEveryMs)
  }
  throw new JpError('daemon_unreachable', `The daemon ${daemon.pid} was asked to end and is still there.`, {
    hint: `Ask again, or end it: kill -9 ${daemon.pid}`,
  })
}
