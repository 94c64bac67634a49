import {randomBytes} from 'node:crypto'
import type {Server} from 'node:http'
import type {Launch} from '../bootstrap/launch.js'
import type {Redact} from '../platform/redact.js'
import type {Trace} from '../platform/trace.js'
import type {Checkout} from '../workspace/checkout.js'
import {readTrust} from '../workspace/trust.js'
import {createAdmission, totalCap} from './admission.js'
import {bootWorkspaces} from './boot-workspaces.js'
import type {Daemon} from './daemon.js'
import type {GuardPolicy} from './guard.js'
import {authorityOf, listen, listenerNames, portOf} from './listening.js'
import {makeRuntime, type RuntimeDeps} from './make-runtime.js'
import {createSessionOpener} from './open-session.js'
import {createOrganization} from './organization.js'
import {createPageLinks} from './page-links.js'
import {reapIdleSessions} from './reap-idle.js'
import {createRegistrations} from './registration.js'
import {createRegistry, type WorkspaceRegistry} from './registry.js'
import {routeTable} from './route-table.js'
import type {WorkspaceRuntime} from './runtime.js'
import {createSecrets} from './secrets.js'
import type {ServeOptions} from './serve-options.js'
import {createDaemonServer, type DaemonServer} from './server.js'
import {createSessionClaims} from './session-claims.js'
import {chooseToken, isLoopback, type TokenChoice} from './token.js'
import {type AgentCommand, agentCommandOf} from './workspace-settings.js'

/** What a daemon is started with. */
export type ServeRequest = {
  readonly options: ServeOptions
  readonly launch: Launch
  readonly version: string
  /** Makes the log, once it is known what must not stand in it. */
  openLog(redact: Redact): Trace
  /** jp's own agent for a checkout. */
  ownAgent(root: string): AgentCommand
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
 * @throws JpError as `bootWorkspaces` and `chooseToken`; `port_in_use`, `listen_failed`.
 */
export const serve = async (request: ServeRequest): Promise<RunningDaemon> => {
  const {options, launch} = request
  const checkouts = await bootWorkspaces(launch.globals.workspace, launch)
  const registrations = createRegistrations(launch.directories.data)
  const choice = chooseToken(options, {environment: launch.environment, registrations})
  const agent = options.agent === undefined ? undefined : agentCommandOf(options.agent)
  const daemon = assemble(request, {checkouts, choice, agent, port: () => portOf(server)})
  const policy: GuardPolicy = {
    token: choice.token,
    requireAuth: options.requireAuth,
    hosts: listenerNames(options.hostname),
    port: () => portOf(server),
    isPageCookie: (cookie) => daemon.links.isCookie(cookie),
  }
  const {server, warmUp}: DaemonServer = createDaemonServer({routes: routeTable, policy, daemon})
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

/** Modules, and nothing else: no file of a workspace is read, and no child is started (D10). */
const laterModules = (): readonly Promise<unknown>[] => [
  import('../protocol/http-requests.js'),
  import('../protocol/agent-replies.js'),
  import('../config/pipeline.js'),
]

type Parts = {
  readonly checkouts: readonly [Checkout, ...Checkout[]]
  readonly choice: TokenChoice
  readonly agent: AgentCommand | undefined
  readonly port: () => number
}

/** The most readers of one session. */
const maxReaders = 64

/** How much of a session's events is held, at most. Unit: UTF-16 code units. */
const ringUnits = 32 * 1024 * 1024

const limitsOf = (options: ServeOptions) => ({
  maxPendingPrompts: options.maxPendingPrompts,
  maxReaders,
  ring: {maxFrames: options.eventRingSize, maxUnits: ringUnits},
  heartbeatMs: 15_000,
  cancelGraceMs: 3000,
})

/** The one place where the pieces are put together. */
const assemble = (request: ServeRequest, {checkouts, choice, agent, port}: Parts): Daemon => {
  const {options, launch, version} = request
  const {environment, directories, clock} = launch
  const secrets = createSecrets(environment.env, choice.token)
  const log = request.openLog(secrets.redact)
  const limits = limitsOf(options)
  const deps: RuntimeDeps = {
    directories,
    environment,
    clock,
    version,
    limits,
    log,
    secrets,
    agent,
    roots: checkouts.map(({root}) => root),
    ownAgent: (root) => request.ownAgent(root),
    lifecycle: (runtime) => ({
      registered: (id) => registry.owners.add(id, runtime()),
      removed: (id) => registry.owners.remove(id, runtime()),
    }),
  }
  const make = (checkout: Checkout, index: number): WorkspaceRuntime =>
    makeRuntime(
      {
        checkout,
        primary: index === 0,
        trusted: readTrust({dataDirectory: directories.data, root: checkout.root, env: environment.env}).by !== 'none',
        ownsUnrecorded: checkouts.findIndex(({id}) => id === checkout.id) === index,
      },
      deps,
    )
  const [first, ...others] = checkouts
  const registry: WorkspaceRegistry = createRegistry([
    make(first, 0),
    ...others.map((checkout, index) => make(checkout, index + 1)),
  ])
  const total = totalCap(options.maxTotalSessions, options.maxSessions, checkouts.length)
  const admission = createAdmission({perWorkspace: options.maxSessions, total})
  const claims = createSessionClaims()
  return {
    registry,
    admission,
    claims,
    limits,
    clock,
    log,
    version,
    pid: environment.pid,
    opener: createSessionOpener({registry, admission, claims}),
    organization: createOrganization(directories.data, registry.primary.workspaceId),
    links: createPageLinks(clock, () => randomBytes(24).toString('base64url')),
    startedAtMs: clock.nowMs(),
    security: {
      tokenConfigured: choice.token !== undefined,
      requireAuth: options.requireAuth,
      loopbackBind: isLoopback(options.hostname),
    },
    url: () => `http://${authorityOf(options.hostname)}:${port()}`,
    memory: () => request.memory(),
  }
}

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
