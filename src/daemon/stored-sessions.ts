import type {SessionId} from '../conversation/session-id.js'

/** A session on the disk. */
export type StoredSession = {
  readonly id: SessionId
  /** What the agent calls it. */
  readonly agentSessionId: string
  readonly title: string | undefined
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly isArchived: boolean
  /** Absent when it is not pinned. */
  readonly pinnedAtMs?: number
}

/** The persisted sessions of one runtime: those of its own root, and of no other (D19, D31). */
export interface StoredSessions {
  /** Sorted by nothing in particular. Writes nothing. */
  list(archived: boolean): Promise<readonly StoredSession[]>
  find(id: SessionId): Promise<StoredSession | undefined>
  /** A session has had a prompt: it is worth remembering from now on. */
  remember(session: StoredSession): void
}
