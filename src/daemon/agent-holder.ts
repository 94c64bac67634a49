import {JpError} from '../errors/jp-error.js'
import type {AgentExit, AgentLink, AgentListener, AgentPermission, AgentUpdate} from './agent/agent-link.js'
import type {PermissionOutcome} from './permissions.js'

/** Who takes what the agent says of one session. */
export interface SessionEar {
  update(update: AgentUpdate): void
  ask(request: AgentPermission): Promise<PermissionOutcome>
}

/** Holds the one agent child of a runtime: starts it when it is needed, and ends it when nobody needs it. */
export interface AgentHolder {
  readonly pid: number | undefined
  /** The running child, or a new one. @throws JpError `child_failed`, `agent_failed`, `agent_exited`. */
  get(): Promise<AgentLink>
  /** True while this child is the one that runs. */
  isRunning(agent: AgentLink): boolean
  /** Something with the child begins that may end in a session; gives the function to call when it is done. */
  use(): () => void
  listen(agentSessionId: string, ear: SessionEar): void
  unlisten(agentSessionId: string): void
  /** No session is left: the child is ended after a while, unless it is needed again. */
  rest(): void
  /** Ends the child for good. */
  stop(): Promise<void>
}

/** What a holder stands on. */
export type AgentHolderDeps = {
  /** @param signal aborted when the holder is stopped: a start that hangs must not hold that up. */
  start(listener: AgentListener, signal: AbortSignal): Promise<AgentLink>
  onExit(agent: AgentLink, exit: AgentExit): void
  /** Unit: milliseconds. */
  readonly idleMs: number
}

/** The most updates that are kept for a session whose name is not known yet. */
const maxEarly = 1000

/** Creates a holder without a child. */
export const createAgentHolder = (deps: AgentHolderDeps): AgentHolder => {
  const ears = new Map<string, SessionEar>()
  // An agent may tell of a new session in the same breath as it names it.
  let early: {readonly agentSessionId: string; readonly update: AgentUpdate}[] = []
  let starting: Promise<AgentLink> | undefined
  let running: AgentLink | undefined
  let uses = 0
  const stopped = new AbortController()
  /** Children on their way out that nobody is given any longer. */
  const retired = new Set<Promise<void>>()
  let idle: NodeJS.Timeout | undefined

  const listener: AgentListener = {
    update(agentSessionId, update) {
      const ear = ears.get(agentSessionId)
      if (ear !== undefined) ear.update(update)
      else if (uses > 0 && early.length < maxEarly) early.push({agentSessionId, update})
    },
    permission: (agentSessionId, request) =>
      ears.get(agentSessionId)?.ask(request) ?? Promise.resolve({outcome: 'cancelled' as const}),
  }

  const start = async (): Promise<AgentLink> => {
    const agent = await deps.start(listener, stopped.signal)
    running = agent
    void agent.exited.then((exit) => {
      if (running === agent) {
        running = undefined
        starting = undefined
      }
      deps.onExit(agent, exit)
    })
    return agent
  }

  /** The child goes; who needs one from now on gets another. */
  const retire = (): void => {
    const agent = running
    if (agent === undefined) return
    running = undefined
    starting = undefined
    const gone = agent.end().finally(() => retired.delete(gone))
    retired.add(gone)
  }

  return {
    get pid() {
      return running?.pid
    },
    get() {
      if (stopped.signal.aborted) return Promise.reject(shuttingDown())
      clearTimeout(idle)
      starting ??= start().catch((error: unknown) => {
        starting = undefined
        throw error
      })
      return starting
    },
    isRunning: (agent) => running === agent,
    use() {
      uses += 1
      return () => {
        uses -= 1
        if (uses === 0) early = []
      }
    },
    listen(agentSessionId, ear) {
      ears.set(agentSessionId, ear)
      const mine = early.filter((entry) => entry.agentSessionId === agentSessionId)
      early = early.filter((entry) => entry.agentSessionId !== agentSessionId)
      for (const {update} of mine) ear.update(update)
    },
    unlisten: (agentSessionId) => void ears.delete(agentSessionId),
    rest() {
      clearTimeout(idle)
      if (uses > 0 || stopped.signal.aborted) return
      idle = setTimeout(retire, deps.idleMs)
      idle.unref()
    },
    async stop() {
      stopped.abort(shuttingDown())
      clearTimeout(idle)
      const agent = running ?? (await starting?.catch(() => undefined))
      await Promise.all([agent?.end(), ...retired])
    },
  }
}

const shuttingDown = (): JpError => new JpError('agent_exited', 'The daemon is shutting down.')
