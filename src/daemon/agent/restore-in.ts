import {JpError} from '../../errors/jp-error.js'
import {pause} from '../../platform/pause.js'
import type {AgentSessionState} from '../../protocol/agent-replies.js'
import type {AgentLink} from './agent-link.js'

/** A session that is to be brought back. */
export type Restore = {
  readonly action: 'load' | 'resume'
  readonly session: {readonly id: string; readonly agentSessionId: string}
}

/**
 * Brings a session back by what the agent can do: one that can not resume loads, and tells the history again.
 * @throws JpError `restore_not_supported`, `agent_failed`, `agent_exited`.
 */
export const restoreIn = (agent: AgentLink, {action, session}: Restore): Promise<AgentSessionState> => {
  const {load, resume} = agent.capabilities
  const id = session.agentSessionId
  if (action === 'resume' && resume) return agent.resumeSession(id)
  if (!load) {
    const error = new JpError('restore_not_supported', 'The agent can not bring a session back.', {
      details: {sessionId: session.id},
      hint: 'Start a new session, or use an agent that can load sessions.',
    })
    return Promise.reject(error)
  }
  return agent.loadSession(id)
}

/** How long an agent may take to let a session go; it is gone for the clients either way. Unit: milliseconds. */
const letGoMs = 2000

/** Tells the agent that a session has ended. Never rejects. */
export const letGo = async (agent: AgentLink, agentSessionId: string): Promise<void> => {
  const given = new AbortController()
  const late = pause(letGoMs, given.signal).catch(() => undefined)
  await Promise.race([agent.closeSession(agentSessionId).catch(() => undefined), late])
  given.abort()
}
