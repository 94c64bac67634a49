import {randomUUID} from 'node:crypto'
import type {SessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import type {UserDirectories} from '../platform/directories.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import type {Trace} from '../platform/trace.js'
import type {Checkout} from '../workspace/checkout.js'
import {connectAgent} from './agent/connect-agent.js'
import type {BridgeLifecycle} from './bridge.js'
import {createBridge} from './create-bridge.js'
import type {SessionLimits} from './live-session.js'
import {workspaceIdOf} from './registry.js'
import type {WorkspaceRuntime} from './runtime.js'
import {type Secrets, tellableText} from './secrets.js'
import {createSessionStorage, noStorage} from './session-storage.js'
import type {TurnFailure} from './turn-teller.js'
import {type AgentCommand, readWorkspaceSettings, type WorkspaceSettings} from './workspace-settings.js'

/** What all runtimes of a daemon share. */
export type RuntimeDeps = {
  readonly directories: UserDirectories
  /** Where the daemon was started, and with which variables. */
  readonly environment: HostEnvironment
  readonly clock: Clock
  readonly version: string
  readonly limits: SessionLimits
  readonly log: Trace
  readonly secrets: Secrets
  /** The canonical roots of all workspaces. */
  readonly roots: readonly string[]
  /** `--agent`: the agent of every workspace. */
  readonly agent: AgentCommand | undefined
  /** `--cfg` of the command line, good from any folder. */
  readonly cfg: readonly string[]
  /** jp's own agent for a checkout. */
  ownAgent(root: string): AgentCommand
  lifecycle(runtime: () => WorkspaceRuntime): BridgeLifecycle
  isTaken(id: SessionId): boolean
}

/** One workspace of the command line. */
export type RegisteredWorkspace = {
  readonly checkout: Checkout
  readonly primary: boolean
  readonly trusted: boolean
  /** The first runtime of its workspace id (D31). */
  readonly ownsUnrecorded: boolean
}

/** What the command line set that an agent other than jp's will never see. */
export const cfgIsForJp = "--cfg reaches settings of the daemon (serve.*), and no agent but jp's own."

/** How long an agent without sessions is kept. Unit: milliseconds. */
const idleAgentMs = 5 * 60_000

/** Makes the runtime of a workspace. Nothing of the workspace is read, and no child is started. */
export const makeRuntime = (workspace: RegisteredWorkspace, deps: RuntimeDeps): WorkspaceRuntime => {
  const {checkout, primary, trusted} = workspace
  const {root} = checkout
  const isOpen = primary || trusted
  const settings = async (): Promise<WorkspaceSettings> => {
    if (!isOpen) throw new JpError('internal', `Nothing of ${root} may be read: it is not trusted.`)
    const otherRoots = deps.roots.filter((other) => other !== root)
    const read = await readWorkspaceSettings({checkout, trusted, otherRoots, base: deps.environment.env, ...deps})
    deps.secrets.learn(read.own)
    return read
  }
  const agentOf = async (): Promise<AgentCommand | undefined> => deps.agent ?? (await settings()).agent
  const historyOf = (id: SessionId) => runtime.bridge.find(id)?.history()
  const {stored, shelf} = isOpen ? createSessionStorage(workspace, {...deps, historyOf}, agentOf) : noStorage
  const runtime: WorkspaceRuntime = {
    workspaceId: workspaceIdOf(root),
    workspaceCwd: root,
    primary,
    trusted,
    env: {source: trusted ? 'workspace' : 'base', compute: async () => (await settings()).env},
    stored,
    shelf,
    bridge: createBridge({
      clock: deps.clock,
      limits: deps.limits,
      idleAgentMs,
      newId: randomUUID,
      isTaken: (id) => deps.isTaken(id),
      lifecycle: deps.lifecycle(() => runtime),
      async startAgent(listener, signal) {
        const {env, agent} = await settings()
        const other = deps.agent ?? agent
        if (other !== undefined && deps.cfg.length > 0) deps.log.write('warn', 'agent', cfgIsForJp)
        const command = other ?? deps.ownAgent(root)
        deps.log.write('info', 'agent', 'starts', {workspaceId: runtime.workspaceId, program: command.command})
        const {answerMs} = deps.limits
        const launch = {...command, cwd: root, env, version: deps.version, trace: deps.log, answerMs, signal}
        const link = await connectAgent(launch, listener)
        void link.exited.then((exit) =>
          deps.log.write('info', 'agent', 'ended', {workspaceId: runtime.workspaceId, pid: link.pid, ...exit}),
        )
        return link
      },
      tellable: (error) => failureOf(error, deps),
      onPrompt: (session, text) =>
        stored.remember({
          id: session.id,
          agentSessionId: session.agentSessionId,
          title: titleOf(text),
          createdAtMs: session.createdAtMs,
          updatedAtMs: deps.clock.nowMs(),
          isArchived: false,
        }),
    }),
  }
  return runtime
}

/** A failure as clients may read it (D26). */
const failureOf = (error: unknown, {secrets, roots, log}: RuntimeDeps): TurnFailure => {
  if (!(error instanceof JpError)) {
    log.write('error', 'turn', String(error))
    return {message: 'Something went wrong inside the daemon.', code: 'internal'}
  }
  const {agentCode, rpcCode, last_root: lastRoot} = error.details
  const code = typeof agentCode === 'string' ? agentCode : typeof rpcCode === 'number' ? String(rpcCode) : error.code
  const message = tellableText(error.message, secrets.redact, roots)
  // Where it last ran is what a client must know to go on there (D32).
  return {message, code, ...(lastRoot === undefined ? {} : {last_root: lastRoot})}
}

/** The longest title that a prompt becomes. Unit: code points. */
const titleLength = 80

const titleOf = (text: string): string => Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, titleLength).join('')
