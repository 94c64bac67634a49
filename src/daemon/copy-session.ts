import {JpError} from '../errors/jp-error.js'
import type {LiveSession} from './live-session.js'
import {shelvedSession} from './primary-session.js'
import type {OwnedCall} from './route.js'

/** What a copy is to be. */
export type CopyWish = {
  readonly title: string | undefined
  /** The first turn that it shall not have; undefined for all of them. */
  readonly before: number | undefined
}

/** A copy that lives, and what it was made from, by the names that clients show. */
export type CopiedSession = {
  readonly made: LiveSession
  readonly displayName: string
  readonly forkedFrom: {readonly sessionId: string; readonly displayName: string}
}

/**
 * Copies a live session of the primary, and brings the copy to life beside it (D22). Where another agent than jp's stores
 * the sessions, it copies them, if it can.
 * @throws JpError `session_busy`, `session_not_found`, `not_supported`, and as `SessionOpener.bringUp` and `fork`.
 */
export const copySession = async (
  {daemon, runtime, session}: OwnedCall,
  {title, before}: CopyWish,
): Promise<CopiedSession> => {
  if (session.turns.running !== undefined) {
    throw new JpError('session_busy', 'The session is in use.', {details: {sessionId: session.id}})
  }
  const {session: stored, shelf} = await shelvedSession(daemon, session.id)
  const {branch} = shelf
  const displayName = title ?? stored.title ?? session.id
  const made =
    branch === undefined
      ? await daemon.opener.fork(runtime, session)
      : await daemon.opener.bringUp(runtime, () => branch(stored, {title, ...(before === undefined ? {} : {before})}))
  // Of a copy that the agent made nobody else would know; jp's own lists what it stores (D19).
  runtime.stored.remember({
    id: made.id,
    agentSessionId: made.agentSessionId,
    title: displayName,
    createdAtMs: made.createdAtMs,
    updatedAtMs: made.updatedAtMs,
    isArchived: false,
  })
  session.emit('session_branched', {newSessionId: made.id, displayName})
  return {made, displayName, forkedFrom: {sessionId: session.id, displayName: stored.title ?? session.id}}
}
