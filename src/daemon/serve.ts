import type {Server} from 'node:http'
import type {Launch} from '../bootstrap/launch.js'
import type {Redact} from '../platform/redact.js'
import type {Trace} from '../platform/trace.js'
import {assembleDaemon} from './assemble-daemon.js'
import {bootWorkspaces} from './boot-workspaces.js'
import type {Daemon} from './daemon.js'
import type {GuardPolicy} from './guard.js'
import {listen, listenerNames, portOf} from './listening.js'
import {cfgIsForJp} from './make-runtime.js'
import {reapIdleSessions} from './reap-idle.js'
import {createRegistrations} from './registration.js'
import type {WorkspaceRegistry} from './registry.js'
import {routeTable} from './route-table.js'
import type {ServeOptions} from './serve-options.js'
import {createDaemonServer, type DaemonServer} from './server.js'
import {chooseToken, type TokenChoice} from './token.js'
import {type AgentCommand, agentCommandOf} from './workspace-settings.js'

/** What a daemon is started with. */
export type ServeRequest = {
  readonly options: ServeOptions
  readonly launch: Launch
  readonly version: string
  /** `--cfg` of the command line. */
  readonly cfg: readonly string[]
  /** Makes the log, once it is known what must not stand in it. */
  openLog(redact: Redact): Trace
  /** jp's own agent for a checkout, with `--cfg` arguments. */
  ownAgent(root: string, cfg: readonly string[]): AgentCommand
  memory(): {readonly rss: number; readonly heapUsed: number}
}

/** A daemon that is listening. */
export interface RunningDaemon {
  readonly url: string
  readonly port: number
  readonly registry: WorkspaceRegistry
  /** Where its token comes from; never the token. */
  readonly auth: TokenChoice['source']
  /** Ends sessions, children and streams, within ten seconds (D5). */
  stop(): Promise<void>
}

/**
 * Checks everything, then binds (D3, D5).
 * @throws JpError as `bootWorkspaces` and `chooseToken`, and for a `--cfg` that can't be; `port_in_use`, `listen_failed`.
 */
export const serve = async (request: ServeRequest): Promise<RunningDaemon> => {
  const {options, launch} = request
  const checkouts = await bootWorkspaces(launch.globals.workspace, launch)
  const registrations = createRegistrations(launch.directories.data)
  const choice = chooseToken(options, {environment: launch.environment, registrations})
  const agent = options.agent === undefined ? undefined : agentCommandOf(options.agent)
  const cfg = await cfgOf(request)
  const daemon = assembleDaemon(request, {checkouts, choice, agent, cfg, port: () => portOf(server)})
  // What the command line says wrong is said now, and not to the first client.
  if (cfg.length > 0) await daemon.registry.primary.env.compute()
  const policy: GuardPolicy = {
    token: choice.token,
    requireAuth: options.requireAuth,
    hosts: listenerNames(options.hostname),
    port: () => portOf(server),
    isPageCookie: (cookie) => daemon.links.isCookie(cookie),
  }
  const {server, warmUp}: DaemonServer = createDaemonServer({
    routes: routeTable,
    policy,
    daemon,
    maxConnections: options.maxConnections,
  })
  await listen(server, options)
  const port = portOf(server)
  const stopReaping = reapIdleSessions(daemon.registry, launch.clock)
  registrations.enter({port, url: daemon.url(), pid: daemon.pid, token: choice.token, startedAtMs: daemon.startedAtMs})
  // What requests and the first session need is loaded once nobody waits for the start.
  setImmediate(() => void Promise.all([warmUp(), ...laterModules()]))
  return {
    url: daemon.url(),
    port,
    registry: daemon.registry,
    auth: choice.source,
    async stop() {
      stopReaping()
      await stop(server, daemon, () => registrations.leave(port, options.port !== 0))
    },
  }
}

/** @throws JpError `config_value_invalid`, `config_key_unknown`. */
const cfgOf = async ({cfg, options, launch}: ServeRequest): Promise<readonly string[]> => {
  if (cfg.length === 0) return []
  const {cfgForAnyCwd} = await import('../config/assign.js')
  if (options.agent !== undefined) launch.output.warn(cfgIsForJp)
  return cfg.map((argument) => cfgForAnyCwd(argument, launch.environment.cwd))
}

/** Modules, and nothing else: no file of a workspace is read, and no child is started (D10). */
const laterModules = (): readonly Promise<unknown>[] => [
  import('../protocol/http-requests.js'),
  import('../protocol/agent-replies.js'),
  import('../config/pipeline.js'),
]

/** How long a stop may take before what is still open is cut. Unit: milliseconds. */
const stopMs = 9000

const stop = async (server: Server, {registry, log}: Daemon, done: () => void): Promise<void> => {
  log.write('info', 'daemon', 'stops')
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const late = setTimeout(() => server.closeAllConnections(), stopMs)
  await Promise.all(registry.runtimes.map(({bridge}) => bridge.shutDown()))
  server.closeIdleConnections()
  await closed
  clearTimeout(late)
  done()
}
