import type {SessionId} from '../conversation/session-id.js'
import type {Admission} from './admission.js'
import type {LiveSession} from './live-session.js'
import {sessionNotFound, untrustedWorkspace, type WorkspaceRegistry} from './registry.js'
import type {WorkspaceRuntime} from './runtime.js'
import type {SessionClaims} from './session-claims.js'
import {archivedSession, idConflict, restoreInProgress, workspaceConflict} from './session-conflicts.js'

/** A session that a client has got, and whether others had it before. */
export type OpenedSession = {readonly session: LiveSession; readonly attached: boolean}

/** What a client asks for. */
export type CreateRequest = {
  readonly sessionId: SessionId | undefined
  /** `single`: the one session of the workspace that all share; `thread`: one of its own. */
  readonly scope: 'single' | 'thread'
}

/** Makes sessions, restores them, and attaches to those that live (D11, D13, D15). */
export interface SessionOpener {
  /**
   * @throws JpError `untrusted_workspace`, `session_limit_exceeded`, `session_id_conflict`, and as `Bridge.create`.
   */
  create(runtime: WorkspaceRuntime, request: CreateRequest): Promise<OpenedSession>
  /**
   * Looks in this runtime only.
   * @throws JpError `untrusted_workspace`, `session_not_found`, `session_workspace_conflict`, `restore_in_progress`,
   * `session_limit_exceeded`, `conversation_archived`, and as `Bridge.restore`.
   */
  restore(runtime: WorkspaceRuntime, id: SessionId, action: 'load' | 'resume'): Promise<OpenedSession>
  /**
   * Brings a session to life that is only now stored: a branch or a fork.
   * @param store makes it; its place is taken before (D15).
   */
  bringUp(runtime: WorkspaceRuntime, store: () => Promise<SessionId>): Promise<LiveSession>
  /** Has the agent copy a live session (D15). @throws JpError as `Bridge.fork`, and `session_limit_exceeded`. */
  fork(runtime: WorkspaceRuntime, from: LiveSession): Promise<LiveSession>
}

/** What an opener stands on. */
export type SessionOpenerDeps = {
  readonly registry: WorkspaceRegistry
  readonly admission: Admission
  readonly claims: SessionClaims
}

/** Creates the opener of one daemon. */
export const createSessionOpener = ({registry, admission, claims}: SessionOpenerDeps): SessionOpener => {
  /** The shared session of each workspace, from the moment that it is being made. */
  const shared = new Map<string, Promise<LiveSession>>()
  const restoring = new Map<SessionId, Promise<LiveSession>>()

  const createOwn = (runtime: WorkspaceRuntime): Promise<LiveSession> =>
    runtime.bridge.create({sessionId: undefined, slot: admission.reserve(runtime.workspaceId)})

  const createShared = async (runtime: WorkspaceRuntime): Promise<OpenedSession> => {
    const known = shared.get(runtime.workspaceId)
    if (known !== undefined) {
      const session = await known
      // It may have ended since; then the next one is made.
      if (runtime.bridge.find(session.id) === session) return {session, attached: true}
      if (shared.get(runtime.workspaceId) === known) shared.delete(runtime.workspaceId)
      return createShared(runtime)
    }
    const making = createOwn(runtime)
    shared.set(runtime.workspaceId, making)
    try {
      return {session: await making, attached: false}
    } catch (error) {
      if (shared.get(runtime.workspaceId) === making) shared.delete(runtime.workspaceId)
      throw error
    }
  }

  /** The id is taken before anything is looked up or started, so that of many callers one alone goes on (FR-44). */
  const createNamed = async (runtime: WorkspaceRuntime, sessionId: SessionId): Promise<OpenedSession> => {
    const owner = registry.owners.resolve(sessionId)
    if (owner.kind !== 'not_found')
      throw idConflict(sessionId, 'live', owner.kind === 'found' ? owner.runtime : undefined)
    if (claims.find(sessionId) !== undefined) throw idConflict(sessionId, 'pending', undefined)
    const release = claims.take(sessionId, {workspaceId: runtime.workspaceId, action: 'create'})
    try {
      // An untrusted workspace stores nothing that the daemon may read.
      for (const other of registry.runtimes) {
        if ((await other.stored.find(sessionId)) !== undefined) throw idConflict(sessionId, 'stored', undefined)
      }
      const slot = admission.reserve(runtime.workspaceId)
      return {session: await runtime.bridge.create({sessionId, slot}), attached: false}
    } finally {
      release()
    }
  }

  const restoreStored = async (
    runtime: WorkspaceRuntime,
    id: SessionId,
    action: 'load' | 'resume',
  ): Promise<LiveSession> => {
    const release = claims.take(id, {workspaceId: runtime.workspaceId, action})
    try {
      const stored = await runtime.stored.find(id)
      if (stored === undefined) throw sessionNotFound(id)
      if (stored.isArchived) throw archivedSession(id)
      return await runtime.bridge.restore(action, stored, admission.reserve(runtime.workspaceId))
    } finally {
      release()
      restoring.delete(id)
    }
  }

  const bringUp = async (runtime: WorkspaceRuntime, store: () => Promise<SessionId>): Promise<LiveSession> => {
    assertTakesSessions(runtime)
    const slot = admission.reserve(runtime.workspaceId)
    let release: (() => void) | undefined
    try {
      const id = await store()
      // Others can list it from now on: who loads it meanwhile comes second.
      release = claims.take(id, {workspaceId: runtime.workspaceId, action: 'branch'})
      const stored = await runtime.stored.find(id)
      if (stored === undefined) throw sessionNotFound(id)
      return await runtime.bridge.restore('load', stored, slot)
    } catch (error) {
      slot.release()
      throw error
    } finally {
      release?.()
    }
  }

  return {
    bringUp,
    async fork(runtime, from) {
      assertTakesSessions(runtime)
      return runtime.bridge.fork(from, admission.reserve(runtime.workspaceId))
    },
    async create(runtime, {sessionId, scope}) {
      assertTakesSessions(runtime)
      if (sessionId !== undefined) return createNamed(runtime, sessionId)
      if (scope === 'single') return createShared(runtime)
      return {session: await createOwn(runtime), attached: false}
    },
    async restore(runtime, id, action) {
      assertTakesSessions(runtime)
      const owner = registry.owners.resolve(id)
      if (owner.kind === 'ambiguous') registry.ownerOf(id)
      if (owner.kind === 'found') {
        const session = owner.runtime.bridge.find(id)
        if (owner.runtime === runtime && session !== undefined) return {session, attached: true}
        throw workspaceConflict(id, runtime, {live: owner.runtime})
      }
      const claim = claims.find(id)
      if (claim !== undefined) {
        if (claim.workspaceId !== runtime.workspaceId) {
          throw workspaceConflict(id, runtime, {live: registry.byId(claim.workspaceId), pending: true})
        }
        const same = claim.action === action ? restoring.get(id) : undefined
        if (same === undefined) throw restoreInProgress(id, claim, action)
        return {session: await same, attached: true}
      }
      const restored = restoreStored(runtime, id, action)
      restoring.set(id, restored)
      return {session: await restored, attached: false}
    },
  }
}

/** An untrusted primary takes sessions; any other workspace must be trusted (D9). */
const assertTakesSessions = (runtime: WorkspaceRuntime): void => {
  if (!runtime.primary && !runtime.trusted) throw untrustedWorkspace(runtime)
}
