import type {SessionId} from '../conversation/session-id.js'
import type {Permissions} from './permissions.js'
import type {SessionFacts} from './session-facts.js'
import type {Opening} from './session-log.js'

/** What a reader is told first when it asks for a snapshot. */
export const snapshotOf = (sessionId: SessionId, facts: SessionFacts): Opening => ({
  type: 'session_snapshot',
  data: {
    sessionId,
    currentModelId: facts.currentModelId ?? null,
    currentApprovalMode: facts.currentModeId ?? null,
    recordingDegraded: false,
  },
})

/**
 * The permission requests that a reader would miss (D18): all that wait for one that starts now; for one that goes on,
 * those that came after its place and are no longer replayed.
 */
export const waitingFor = (
  permissions: Permissions,
  sessionId: SessionId,
  {servedFromId, lastEventId}: {readonly servedFromId: number; readonly lastEventId: number | undefined},
): readonly Opening[] =>
  permissions.pending
    .filter(({eventId}) => eventId < servedFromId && (lastEventId === undefined || eventId > lastEventId))
    .map(({requestId, toolCall, options}) => ({
      type: 'permission_request',
      data: {requestId, sessionId, toolCall, options},
    }))
