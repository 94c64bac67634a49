import type {SessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import {rfc3339} from '../platform/clock.js'
import type {LiveSession} from './live-session.js'
import {nowhere, type Organization} from './organization.js'
import type {WorkspaceRuntime} from './runtime.js'
import {statusOf} from './session-views.js'
import type {StoredSession} from './stored-sessions.js'

/** A session of a list: what is live and what is stored of it, in one (D19). */
export type ListedSession = {
  readonly sessionId: SessionId
  readonly updatedAt: string
  readonly isArchived: boolean
  readonly [field: string]: unknown
}

/** One page of a list. */
export type ListPage = {readonly sessions: readonly ListedSession[]; readonly nextCursor?: string}

/** Where a page begins, and how long it is. */
export type PageRequest = {readonly size: number; readonly cursor: string | undefined}

/** Live and stored sessions of one runtime, each once, newest activity first. */
export const mergeSessions = (
  runtime: WorkspaceRuntime,
  live: readonly LiveSession[],
  stored: readonly StoredSession[],
): readonly ListedSession[] => {
  const byId = new Map(stored.map((session) => [session.id, storedRow(session, runtime)]))
  for (const session of live) byId.set(session.id, liveRow(session, runtime, stored))
  return [...byId.values()].sort((left, right) => (keyOf(left) < keyOf(right) ? 1 : -1))
}

const liveRow = (session: LiveSession, runtime: WorkspaceRuntime, stored: readonly StoredSession[]): ListedSession => {
  const status = statusOf(session, runtime)
  const record = stored.find(({id}) => id === session.id)
  const title = record?.title ?? session.facts.title
  return {
    ...status,
    sessionId: session.id,
    createdAt: record === undefined ? status.createdAt : rfc3339(record.createdAtMs),
    ...(title === undefined ? {} : {displayName: title}),
    isArchived: false,
  }
}

const storedRow = (session: StoredSession, runtime: WorkspaceRuntime): ListedSession => ({
  sessionId: session.id,
  workspaceCwd: runtime.workspaceCwd,
  createdAt: rfc3339(session.createdAtMs),
  updatedAt: rfc3339(session.updatedAtMs),
  ...(session.title === undefined ? {} : {displayName: session.title}),
  clientCount: 0,
  hasActivePrompt: false,
  activeWorkState: 'idle',
  hasRunningBackgroundTasks: false,
  isWaitingForPermission: false,
  isWaitingForUserQuestion: false,
  pendingInteractionCount: 0,
  hasTurnError: false,
  pendingInteractions: [],
  isArchived: session.isArchived,
})

/** `all`, `pinned`, `ungrouped`, or the id of a group. */
export type GroupFilter = {readonly organization: Organization; readonly group: string | undefined}

/** The organised view: each session with its group, colour and pin. @throws JpError `group_not_found`. */
export const organized = (
  sessions: readonly ListedSession[],
  stored: readonly StoredSession[],
  {organization, group = 'all'}: GroupFilter,
): readonly ListedSession[] => {
  const isOwnGroup = !['all', 'pinned', 'ungrouped'].includes(group)
  if (isOwnGroup && !organization.groups().some(({id}) => id === group)) {
    throw new JpError('group_not_found', 'There is no such group.', {details: {groupId: group}})
  }
  const placements = organization.placements()
  return sessions
    .map((session) => {
      const isPinned = stored.some(({id, pinnedAtMs}) => id === session.sessionId && pinnedAtMs !== undefined)
      return {...session, ...(placements[session.sessionId] ?? nowhere), isPinned}
    })
    .filter(({isPinned, groupId}) => {
      if (group === 'all') return true
      if (group === 'pinned') return isPinned
      return group === 'ungrouped' ? groupId === null : groupId === group
    })
}

/** What a list is sorted by; no two sessions have the same. */
const keyOf = ({updatedAt, sessionId}: ListedSession): string => `${updatedAt} ${sessionId}`

/** Cuts one page out of a sorted list. @throws JpError `invalid_cursor`. */
export const pageOf = (sessions: readonly ListedSession[], {size, cursor}: PageRequest): ListPage => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rest = after === undefined ? sessions : sessions.filter((session) => keyOf(session) < after)
  const page = rest.slice(0, size)
  const last = page.at(-1)
  return {
    sessions: page,
    ...(last === undefined || rest.length <= size ? {} : {nextCursor: Buffer.from(keyOf(last)).toString('base64url')}),
  }
}

/** @throws JpError `invalid_cursor`. */
export const decodeCursor = (cursor: string): string => {
  const key = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z [0-9a-f-]{36}$/.test(key)) return key
  throw new JpError('invalid_cursor', 'That cursor is none that a list gave.', {hint: 'Begin without one.'})
}
