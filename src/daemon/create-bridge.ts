import {parseSessionId, type SessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import type {AgentSessionState} from '../protocol/agent-replies.js'
import type {Slot} from './admission.js'
import type {AgentExit, AgentLink, AgentListener} from './agent/agent-link.js'
import {letGo, restoreIn} from './agent/restore-in.js'
import {told} from './agent/told.js'
import {createAgentHolder, type SessionEar} from './agent-holder.js'
import type {Bridge, BridgeLifecycle, NewSession} from './bridge.js'
import {createLiveSession, type LiveSessionDeps} from './create-live-session.js'
import type {LiveSession, SessionEnd, SessionLimits} from './live-session.js'
import type {TurnFailure} from './turn-teller.js'

/** What a bridge stands on. */
export type BridgeDeps = {
  readonly startAgent: (listener: AgentListener, signal: AbortSignal) => Promise<AgentLink>
  readonly lifecycle: BridgeLifecycle
  readonly clock: Clock
  readonly limits: SessionLimits
  /** How long a child without sessions is kept. Unit: milliseconds. */
  readonly idleAgentMs: number
  readonly newId: () => string
  /** A session of any runtime has this id, or is being made with it. */
  readonly isTaken: (id: SessionId) => boolean
  readonly tellable: (error: unknown) => TurnFailure
  /** A session has had a prompt. */
  readonly onPrompt: (session: LiveSession, text: string) => void
}

const deaf: SessionEar = {update: () => undefined, ask: () => Promise.resolve({outcome: 'cancelled'})}

type Entry = {readonly session: LiveSession; readonly agent: AgentLink; readonly slot: Slot}

/** What a session that an agent made is to be. */
type Wanted = NewSession & Pick<LiveSessionDeps, 'isWhole'>

type Made = Pick<LiveSessionDeps, 'id' | 'agentSessionId' | 'state' | 'isWhole'>

/** Creates a bridge; its child is started by the first session that needs one (D10). */
export const createBridge = (deps: BridgeDeps): Bridge => {
  const entries = new Map<SessionId, Entry>()
  /** Sessions that are on their way out: their id is free once they are gone. */
  const closing = new Map<SessionId, Promise<void>>()

  const endAll = (agent: AgentLink, exit: AgentExit): void => {
    for (const {session} of [...entries.values()].filter((entry) => entry.agent === agent)) {
      void close(session.id, {type: 'session_died', reason: 'channel_closed', ...exit})
    }
  }
  const holder = createAgentHolder({start: deps.startAgent, idleMs: deps.idleAgentMs, onExit: endAll})

  const makeSession = (agent: AgentLink, made: Made): LiveSession => {
    const session: LiveSession = createLiveSession({
      ...made,
      agent,
      clock: deps.clock,
      limits: deps.limits,
      newId: deps.newId,
      tellable: deps.tellable,
      onAbandoned: () => void close(made.id, {type: 'session_closed', reason: 'client_close'}),
      onPrompt: (text) => deps.onPrompt(session, text),
    })
    return session
  }

  const register = (entry: Entry): LiveSession => {
    const {session, agent} = entry
    if (!holder.isRunning(agent)) throw new JpError('agent_exited', 'The agent process ended.')
    entries.set(session.id, entry)
    deps.lifecycle.registered(session.id)
    return session
  }

  const close = (id: SessionId, end: SessionEnd): Promise<void> => {
    const entry = entries.get(id)
    if (entry === undefined) return closing.get(id) ?? Promise.resolve()
    entries.delete(id)
    deps.lifecycle.removed(id)
    const done = finish(entry, end).finally(() => closing.delete(id))
    closing.set(id, done)
    return done
  }

  const finish = async ({session, agent, slot}: Entry, end: SessionEnd): Promise<void> => {
    await session.end(end)
    holder.unlisten(session.agentSessionId)
    // The child is gone, or goes next.
    const isLast = end.type === 'session_died'
    if (agent.capabilities.close && !isLast) await letGo(agent, session.agentSessionId)
    slot.release()
    if (entries.size === 0) holder.rest()
  }

  /** Whatever fails on the way gives the place back, and never leaves half a session. */
  const admitted = async (slot: Slot, make: (agent: AgentLink) => Promise<LiveSession>): Promise<LiveSession> => {
    const done = holder.use()
    try {
      return await make(await holder.get())
    } catch (error) {
      slot.release()
      throw told(error, deps.tellable)
    } finally {
      done()
      if (entries.size === 0) holder.rest()
    }
  }

  /** A session that could not be made holds no timer and hears nothing. */
  const settle = async (
    session: LiveSession,
    finish: () => LiveSession | Promise<LiveSession>,
  ): Promise<LiveSession> => {
    try {
      return await finish()
    } catch (error) {
      holder.unlisten(session.agentSessionId)
      await session.end({type: 'session_closed', reason: 'client_close'})
      throw error
    }
  }

  /** Makes a session of what the agent has just made. */
  const adopt = (agent: AgentLink, state: AgentSessionState & {readonly sessionId: string}, wanted: Wanted) => {
    const own = parseSessionId(state.sessionId)
    // Agents that count their sessions from one would name two runtimes' sessions alike.
    const id = wanted.sessionId ?? (own !== undefined && !deps.isTaken(own) ? own : (deps.newId() as SessionId))
    const session = makeSession(agent, {id, agentSessionId: state.sessionId, state, isWhole: wanted.isWhole})
    return settle(session, () => {
      holder.listen(session.agentSessionId, session)
      return register({session, agent, slot: wanted.slot})
    })
  }

  return {
    find: (id) => entries.get(id)?.session,
    get sessions() {
      return [...entries.values()].map(({session}) => session)
    },
    get agentPid() {
      return holder.pid
    },
    create: ({sessionId, slot}) =>
      admitted(slot, async (agent) => {
        if (sessionId !== undefined) await closing.get(sessionId)
        const state = await agent.newSession({sessionId})
        return adopt(agent, state, {sessionId, slot, isWhole: true})
      }),
    fork: (from, slot) =>
      admitted(slot, async (agent) => {
        if (!agent.capabilities.fork) throw new JpError('not_supported', 'The agent can not copy a session.')
        const state = await agent.forkSession(from.agentSessionId)
        return adopt(agent, state, {sessionId: undefined, slot, isWhole: false})
      }),
    restore: (action, stored, slot) =>
      admitted(slot, async (agent) => {
        await closing.get(stored.id)
        const {id, agentSessionId} = stored
        const session = makeSession(agent, {id, agentSessionId, state: {}, isWhole: action === 'load'})
        return settle(session, async () => {
          // Who resumes has the history: it is not told again.
          holder.listen(session.agentSessionId, action === 'load' ? session : deaf)
          session.facts.setState(await restoreIn(agent, {action, session}))
          holder.listen(session.agentSessionId, session)
          return register({session, agent, slot})
        })
      }),
    close,
    async shutDown() {
      const end = {type: 'session_died', reason: 'daemon_shutdown'} as const
      await Promise.all([...entries.keys()].map((id) => close(id, end)))
      await Promise.all(closing.values())
      await holder.stop()
    },
  }
}
