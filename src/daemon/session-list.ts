import {parseSessionId, type SessionId} from '../conversation/session-id.js'
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

/** A session of a list, as it is sorted and cut; what a client reads of it is made for its page alone. */
export type SessionEntry = {
  readonly sessionId: SessionId
  readonly updatedAtMs: number
  readonly live: LiveSession | undefined
  readonly stored: StoredSession | undefined
}

/** Live and stored sessions, each once, newest activity first. */
export const mergeSessions = (
  live: readonly LiveSession[],
  stored: readonly StoredSession[],
): readonly SessionEntry[] => {
  const byId = new Map<SessionId, SessionEntry>(
    stored.map((session) => [
      session.id,
      {sessionId: session.id, updatedAtMs: session.updatedAtMs, live: undefined, stored: session},
    ]),
  )
  for (const session of live) {
    const record = byId.get(session.id)?.stored
    byId.set(session.id, {sessionId: session.id, updatedAtMs: session.updatedAtMs, live: session, stored: record})
  }
  return [...byId.values()].sort(newestFirst)
}

/** An entry as clients read it. */
export const rowOf = ({live, stored}: SessionEntry, runtime: WorkspaceRuntime): ListedSession => {
  if (live !== undefined) return liveRow(live, stored, runtime)
  if (stored !== undefined) return storedRow(stored, runtime)
  throw new JpError('internal', 'A listed session is neither live nor stored.')
}

const liveRow = (session: LiveSession, record: StoredSession | undefined, runtime: WorkspaceRuntime): ListedSession => {
  const status = statusOf(session, runtime)
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

/**
 * The sessions of a group, and how each of them reads in the organised view: with its group, colour and pin.
 * @throws JpError `group_not_found`.
 */
export const organized = (
  entries: readonly SessionEntry[],
  {organization, group = 'all'}: GroupFilter,
): {readonly entries: readonly SessionEntry[]; readonly placed: (entry: SessionEntry) => object} => {
  const isOwnGroup = !['all', 'pinned', 'ungrouped'].includes(group)
  if (isOwnGroup && !organization.groups().some(({id}) => id === group)) {
    throw new JpError('group_not_found', 'There is no such group.', {details: {groupId: group}})
  }
  const placements = organization.placements()
  const placed = ({sessionId, stored}: SessionEntry) => ({
    ...(placements[sessionId] ?? nowhere),
    isPinned: stored?.pinnedAtMs !== undefined,
  })
  const belongs = (entry: SessionEntry): boolean => {
    const {isPinned, groupId} = placed(entry)
    if (group === 'all') return true
    if (group === 'pinned') return isPinned
    return group === 'ungrouped' ? groupId === null : groupId === group
  }
  return {entries: entries.filter(belongs), placed}
}

/** What a list is sorted by; no two sessions have the same. */
type SortKey = Pick<SessionEntry, 'updatedAtMs' | 'sessionId'>

const newestFirst = (left: SortKey, right: SortKey): number =>
  right.updatedAtMs - left.updatedAtMs || (left.sessionId < right.sessionId ? 1 : -1)

/** Cuts one page out of a sorted list. @throws JpError `invalid_cursor`. */
export const pageOf = (
  entries: readonly SessionEntry[],
  {size, cursor}: PageRequest,
): {readonly entries: readonly SessionEntry[]; readonly nextCursor?: string} => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rest = after === undefined ? entries : entries.filter((entry) => newestFirst(entry, after) > 0)
  const page = rest.slice(0, size)
  const last = page.at(-1)
  return {entries: page, ...(last === undefined || rest.length <= size ? {} : {nextCursor: encodeCursor(last)})}
}

const encodeCursor = ({updatedAtMs, sessionId}: SortKey): string =>
  Buffer.from(`${rfc3339(updatedAtMs)} ${sessionId}`).toString('base64url')

/** @throws JpError `invalid_cursor`. */
export const decodeCursor = (cursor: string): SortKey => {
  const [, time, id] = /^(\S+) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const sessionId = parseSessionId(id ?? '')
  const updatedAtMs = Date.parse(time ?? '')
  if (sessionId !== undefined && !Number.isNaN(updatedAtMs)) return {updatedAtMs, sessionId}
  throw new JpError('invalid_cursor', 'That cursor is none that a list gave.', {hint: 'Begin without one.'})
}
