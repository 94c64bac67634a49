import type {SessionId} from '../conversation/session-id.js'

/** What is being done with a session id that is not live yet. */
export type ClaimAction = 'create' | 'load' | 'resume' | 'branch'

/** Who is at work on a session id. */
export type Claim = {readonly workspaceId: string; readonly action: ClaimAction}

/** Session ids that are being created or restored, over all runtimes: an id has one owner even before it has one (FR-44). */
export interface SessionClaims {
  find(id: SessionId): Claim | undefined
  /** Takes an id that {@link find} said is free; gives the function that gives it back. */
  take(id: SessionId, claim: Claim): () => void
  /** How many are in flight. */
  readonly size: number
}

/** Creates the claims of one daemon. */
export const createSessionClaims = (): SessionClaims => {
  const claims = new Map<SessionId, Claim>()
  return {
    find: (id) => claims.get(id),
    take(id, claim) {
      claims.set(id, claim)
      return () => {
        if (claims.get(id) === claim) claims.delete(id)
      }
    },
    get size() {
      return claims.size
    },
  }
}
