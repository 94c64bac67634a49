import {parseSessionId, type SessionId} from '../conversation/session-id.js'
import {hasCode, JpError} from '../errors/jp-error.js'
import type {Daemon} from './daemon.js'
import {sessionNotFound} from './registry.js'
import type {SessionShelf} from './session-shelf.js'
import type {StoredSession} from './stored-sessions.js'

/** A stored session of the primary workspace, and the shelf that it lies on. */
export type ShelvedSession = {readonly session: StoredSession; readonly shelf: SessionShelf}

/** Another workspace has it (D22). */
export const notOfPrimary = (sessionId: string, workspaceId: string): JpError =>
  new JpError('non_primary_session_route_not_supported', 'This is served for the primary workspace only.', {
    details: {sessionId, workspaceId},
  })

/** The stored session with this id in the primary, or undefined; nowhere else is looked. */
export const findInPrimary = async ({registry}: Daemon, text: string): Promise<StoredSession | undefined> => {
  const id = parseSessionId(text)
  return id === undefined ? undefined : registry.primary.stored.find(id)
}

/**
 * The stored session of the primary with this id, live or not.
 * @throws JpError `session_not_found`; `non_primary_session_route_not_supported` when another workspace has it.
 */
export const shelvedSession = async (daemon: Daemon, text: string): Promise<ShelvedSession> => {
  const {primary, runtimes, owners} = daemon.registry
  const id = parseSessionId(text)
  if (id === undefined) throw sessionNotFound(text)
  const owner = owners.resolve(id)
  if (owner.kind === 'ambiguous') daemon.registry.ownerOf(id)
  if (owner.kind === 'found' && !owner.runtime.primary) throw notOfPrimary(id, owner.runtime.workspaceId)
  const session = await primary.stored.find(id)
  if (session !== undefined) return {session, shelf: await primary.shelf()}
  for (const other of runtimes.filter((runtime) => !runtime.primary)) {
    if ((await other.stored.find(id)) !== undefined) throw notOfPrimary(id, other.workspaceId)
  }
  throw sessionNotFound(text)
}

/** Works on a shelf; a conversation that someone is using is a session that is busy. @throws JpError `session_busy`. */
export const unlessBusy = async <Value>(sessionId: SessionId, work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    if (!hasCode(error, 'conversation_locked', 'draft_conflict')) throw error
    throw new JpError('session_busy', 'The session is in use.', {
      cause: error,
      hint: 'Wait until its turn has ended.',
      details: {sessionId},
    })
  }
}
