import type {SessionId} from '../conversation/session-id.js'
import type {StoredSession} from './stored-sessions.js'

/** One turn of a stored session, to go back to. */
export type StoredTurn = {
  readonly promptId: string
  /** Counted from 0. */
  readonly turnIndex: number
  readonly startedAtMs: number
  readonly text: string
}

/** One step of a stored session, for an export. */
export type StoredStep = {readonly role: 'user' | 'assistant' | 'tool'; readonly atMs: number; readonly text: string}

/** What can be done with the stored sessions of the primary workspace, live or not (D22). */
export interface SessionShelf {
  /** @throws JpError `not_supported`, `conversation_locked`, as all the others do. */
  setArchived(session: StoredSession, archived: boolean): Promise<void>
  remove(session: StoredSession): Promise<void>
  setPinned(session: StoredSession, pinned: boolean): Promise<void>
  /** Everything that was said, in order. */
  steps(session: StoredSession): Promise<readonly StoredStep[]>
  /** As it is stored, for programs. */
  raw(session: StoredSession): Promise<readonly unknown[]>
  /** A copy of it, or of its turns up to one (not included); undefined where the agent alone can copy. */
  readonly branch:
    | ((
        session: StoredSession,
        options: {readonly title?: string | undefined; readonly before?: number},
      ) => Promise<SessionId>)
    | undefined
  turns(session: StoredSession): Promise<readonly StoredTurn[]>
  /** Takes back a turn and those after it: the model is told no more of them. */
  rewind(session: StoredSession, turn: StoredTurn): Promise<void>
}
