import type {SessionId} from '../conversation/session-id.js'
import type {Slot} from './admission.js'
import type {LiveSession, SessionEnd} from './live-session.js'
import type {StoredSession} from './stored-sessions.js'

/** A session that is wanted new. */
export type NewSession = {
  /** The id that the caller chose. */
  readonly sessionId: SessionId | undefined
  /** Its place; the bridge releases it when the session ends or can't be made. */
  readonly slot: Slot
}

/** The part of a runtime that owns its agent child and its live sessions. */
export interface Bridge {
  find(id: SessionId): LiveSession | undefined
  /** Every live session, oldest first. */
  readonly sessions: readonly LiveSession[]
  /** The process id of the agent child; undefined while there is none. */
  readonly agentPid: number | undefined
  /** @throws JpError `child_failed`, `agent_failed`, `agent_exited`. */
  create(request: NewSession): Promise<LiveSession>
  /**
   * Brings a stored session back; `load` with its history as events.
   * @throws JpError as {@link create}, and `restore_not_supported`.
   */
  restore(action: 'load' | 'resume', stored: StoredSession, slot: Slot): Promise<LiveSession>
  /**
   * Has the agent copy a live session.
   * @throws JpError as {@link create}, and `not_supported`.
   */
  fork(from: LiveSession, slot: Slot): Promise<LiveSession>
  /** Ends a session; nothing happens when it has ended already. */
  close(id: SessionId, end: SessionEnd): Promise<void>
  /** Ends every session and the agent child; none starts afterwards. */
  shutDown(): Promise<void>
}

/** What happens to a bridge's sessions, for the owner index (D14). */
export interface BridgeLifecycle {
  registered(id: SessionId): void
  removed(id: SessionId): void
}
