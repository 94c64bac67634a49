import type {SessionId} from '../conversation/session-id.js'
import type {AgentExit, AgentPermission, AgentUpdate} from './agent/agent-link.js'
import type {FrameSink} from './event-stream.js'
import type {PermissionOutcome, Permissions} from './permissions.js'
import type {PromptAccepted, PromptRequest} from './prompt-queue.js'
import type {SessionClients} from './session-clients.js'
import type {SessionEvent} from './session-event.js'
import type {SessionFacts} from './session-facts.js'
import type {ReadFrom} from './session-log.js'
import type {SessionTurns} from './session-turns.js'

/** Why a session ended. */
export type SessionEnd =
  | {readonly type: 'session_closed'; readonly reason: 'client_close' | 'idle_timeout'}
  | ({readonly type: 'session_died'; readonly reason: 'channel_closed'} & AgentExit)
  | {readonly type: 'session_died'; readonly reason: 'daemon_shutdown'}

/** A session that is running in some runtime. */
export interface LiveSession {
  readonly id: SessionId
  /** What the agent calls it. */
  readonly agentSessionId: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly promptCount: number
  /** What the agent was asked: how often it failed, and how long it took in all. Unit: milliseconds. */
  readonly agentErrors: number
  readonly agentMs: number
  readonly clients: SessionClients
  readonly turns: Omit<SessionTurns, 'submit' | 'close' | 'fail'>
  readonly permissions: Permissions
  readonly facts: SessionFacts
  readonly lastEventId: number
  readonly epoch: string
  readonly readers: number
  /** Somebody was here: a request named it, or a reader is connected. */
  touch(): void
  /** One more client; gives its id. */
  attach(): string
  /** @throws JpError `prompt_queue_full`. */
  submit(request: PromptRequest): PromptAccepted
  /** What the agent tells of it. */
  update(update: AgentUpdate): void
  /** What the agent asks; settles with the first answer. */
  ask(request: AgentPermission): Promise<PermissionOutcome>
  /** @throws JpError `permission_not_pending`, `invalid_option_id`. */
  vote(requestId: string, outcome: PermissionOutcome, clientId: string | undefined): void
  /** @throws JpError `subscriber_limit_exceeded`. */
  read(sink: FrameSink, from: ReadFrom, snapshot: boolean): () => void
  /** Every event that is still held. */
  events(): readonly SessionEvent[]
  /** As {@link events} when that is all there ever was: nothing was let go, and no history was left untold. */
  history(): readonly SessionEvent[] | undefined
  /** @throws JpError `agent_failed`, as {@link setModel} does. */
  setMode(modeId: string): Promise<void>
  setModel(modelId: string): Promise<void>
  /** Tells every reader something of the session itself. */
  emit(type: string, data: Readonly<Record<string, unknown>>): void
  /** Lets a client go; the last one takes the session with it, after its turn. */
  detach(clientId: string | undefined): void
  /** Ends it: the running turn, what waits, its readers. Settles when its last event is out. */
  end(end: SessionEnd): Promise<void>
}

/** How sessions are bounded; one set a daemon. */
export type SessionLimits = {
  readonly maxPendingPrompts: number
  readonly maxReaders: number
  readonly ring: {readonly maxFrames: number; readonly maxUnits: number}
  /** Unit: milliseconds. */
  readonly heartbeatMs: number
  readonly cancelGraceMs: number
  /** How long an agent may take to make a session, to bring one back, or to change one. */
  readonly answerMs: number
}
