import type {SessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import type {WorkspaceRuntime} from './runtime.js'
import type {Claim} from './session-claims.js'

/** Another session has this id, or is about to. */
export const idConflict = (
  sessionId: SessionId,
  conflict: 'live' | 'pending' | 'stored',
  owner: WorkspaceRuntime | undefined,
): JpError =>
  new JpError('session_id_conflict', 'This session id is taken.', {
    hint: 'Leave "sessionId" out, or choose another.',
    details: {sessionId, conflict, ...(owner === undefined ? {} : {liveWorkspaceCwd: owner.workspaceCwd})},
  })

/** The session is, or is about to be, live elsewhere. */
export const workspaceConflict = (
  sessionId: SessionId,
  asked: WorkspaceRuntime,
  {live, pending}: {readonly live: WorkspaceRuntime | undefined; readonly pending?: true},
): JpError =>
  new JpError(
    'session_workspace_conflict',
    pending === true
      ? 'The session is being restored in another workspace.'
      : 'The session is live in another workspace.',
    {
      hint: 'Use it there, or close it there first.',
      details: {
        sessionId,
        workspaceId: asked.workspaceId,
        workspaceCwd: asked.workspaceCwd,
        liveWorkspaceId: live?.workspaceId,
        liveWorkspaceCwd: live?.workspaceCwd,
        ...(pending === true ? {conflict: 'pending'} : {}),
      },
    },
  )

/** The other kind of restore is under way here. */
export const restoreInProgress = (sessionId: SessionId, claim: Claim, requestedAction: string): JpError =>
  new JpError('restore_in_progress', 'The session is being restored already.', {
    details: {
      reason: 'restore_in_progress',
      retryable: true,
      sessionId,
      activeAction: claim.action,
      requestedAction,
    },
  })

/** What is in the archive is not brought to life. */
export const archivedSession = (sessionId: SessionId): JpError =>
  new JpError('conversation_archived', 'The session is archived.', {
    hint: 'Take it out of the archive first: POST /sessions/unarchive.',
    details: {sessionId},
  })
