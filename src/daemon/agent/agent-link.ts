import type {AgentSessionState} from '../../protocol/agent-replies.js'
import type {PermissionOption, PermissionOutcome} from '../permissions.js'
import type {ContentBlock} from '../prompt-queue.js'

/** What an agent says it can do. */
export type AgentCapabilities = {
  readonly load: boolean
  readonly resume: boolean
  readonly close: boolean
  readonly fork: boolean
}

/** One `session/update` of an agent: its kind, and what belongs to it. */
export type AgentUpdate = {readonly sessionUpdate: string; readonly [field: string]: unknown}

/** A permission that an agent asks for. */
export type AgentPermission = {
  readonly toolCall: Readonly<Record<string, unknown>>
  readonly options: readonly PermissionOption[]
}

/** Where an agent's messages about its sessions go; each by the agent's own id of the session. */
export interface AgentListener {
  update(agentSessionId: string, update: AgentUpdate): void
  permission(agentSessionId: string, request: AgentPermission): Promise<PermissionOutcome>
}

/** How an agent's process ended. */
export type AgentExit = {readonly exitCode: number | null; readonly signalCode: string | null}

/** How a turn ended, and what it cost when the agent says so. */
export type AgentTurnEnd = {readonly stopReason: string; readonly usage: Readonly<Record<string, unknown>> | undefined}

/** What the daemon tells the agent about a session that it wants. */
export type NewAgentSession = {
  /** The id that a caller asked for; an agent of jp takes it over, another one chooses its own. */
  readonly sessionId: string | undefined
}

/** A running ACP agent: one a runtime. Its sessions are named by the agent's own ids. */
export interface AgentLink {
  readonly pid: number
  readonly capabilities: AgentCapabilities
  /** Settles when the process has ended; never rejects. */
  readonly exited: Promise<AgentExit>
  /** @throws JpError `agent_failed`, `agent_exited`, as all the others do. */
  newSession(request: NewAgentSession): Promise<AgentSessionState & {readonly sessionId: string}>
  /** Copies a session, as it stands; the copy's history is not told. */
  forkSession(agentSessionId: string): Promise<AgentSessionState & {readonly sessionId: string}>
  /** The history arrives as updates before this settles. */
  loadSession(agentSessionId: string): Promise<AgentSessionState>
  resumeSession(agentSessionId: string): Promise<AgentSessionState>
  prompt(agentSessionId: string, blocks: readonly ContentBlock[]): Promise<AgentTurnEnd>
  cancel(agentSessionId: string): void
  closeSession(agentSessionId: string): Promise<void>
  setMode(agentSessionId: string, modeId: string): Promise<void>
  setOption(agentSessionId: string, configId: string, value: string): Promise<void>
  /** Ends the process and all it started. */
  end(): Promise<void>
}
