import {randomBytes} from 'node:crypto'
import type {Checkout} from '../workspace/checkout.js'
import {readTrust} from '../workspace/trust.js'
import {createAdmission, totalCap} from './admission.js'
import type {Daemon} from './daemon.js'
import {authorityOf} from './listening.js'
import {makeRuntime, type RuntimeDeps} from './make-runtime.js'
import {createSessionOpener} from './open-session.js'
import {createOrganization} from './organization.js'
import {createPageLinks} from './page-links.js'
import {createRegistry, type WorkspaceRegistry} from './registry.js'
import type {WorkspaceRuntime} from './runtime.js'
import {createSecrets} from './secrets.js'
import type {ServeRequest} from './serve.js'
import type {ServeOptions} from './serve-options.js'
import {createSessionClaims} from './session-claims.js'
import {isLoopback, type TokenChoice} from './token.js'
import type {AgentCommand} from './workspace-settings.js'

/** What was found out before anything is put together. */
export type DaemonParts = {
  readonly checkouts: readonly [Checkout, ...Checkout[]]
  readonly choice: TokenChoice
  readonly agent: AgentCommand | undefined
  readonly cfg: readonly string[]
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
  answerMs: 60_000,
})

/** The one place where the pieces are put together. */
export const assembleDaemon = (request: ServeRequest, {checkouts, choice, agent, cfg, port}: DaemonParts): Daemon => {
  const {options, launch, version} = request
  const {environment, directories, clock} = launch
  const secrets = createSecrets(environment.env, choice.token)
  const log = request.openLog(secrets.redact)
  const limits = limitsOf(options)
  const claims = createSessionClaims()
  const deps: RuntimeDeps = {
    directories,
    environment,
    clock,
    version,
    limits,
    log,
    secrets,
    agent,
    cfg,
    roots: checkouts.map(({root}) => root),
    ownAgent: (root) => request.ownAgent(root, cfg),
    lifecycle: (runtime) => ({
      registered: (id) => registry.owners.add(id, runtime()),
      removed: (id) => registry.owners.remove(id, runtime()),
    }),
    isTaken: (id) => registry.owners.resolve(id).kind !== 'not_found' || claims.find(id) !== undefined,
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
