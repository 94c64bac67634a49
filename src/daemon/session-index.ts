import {join} from 'node:path'
import {parseSessionId, type SessionId} from '../conversation/session-id.js'
import {rfc3339} from '../platform/clock.js'
import {sha256OfText} from '../platform/text-digest.js'
import {createStateFile} from './state-file.js'
import type {StoredSession, StoredSessions} from './stored-sessions.js'
import type {AgentCommand} from './workspace-settings.js'

/** How many sessions of a foreign agent are remembered; the oldest give way. */
const maxEntries = 1000

/** Where an index lies: one a workspace and an agent, since no agent can restore what another one made. */
export const indexFileOf = (dataDirectory: string, workspaceId: string, {command, args}: AgentCommand): string => {
  const agent = sha256OfText([command, ...args].join('\0')).slice(0, 8)
  return join(dataDirectory, 'serve', 'sessions', `${workspaceId}-${agent}.json`)
}

/** One session as the file has it. */
type Row = {
  readonly id: SessionId
  readonly agent_session_id: string
  readonly title: string | null
  /** RFC 3339, UTC. */
  readonly created_at: string
  readonly updated_at: string
  readonly archived_at?: string
  readonly pinned_at?: string
}

/** As {@link StoredSessions}, and what was remembered can be put in order, or forgotten. */
export interface SessionIndex extends StoredSessions {
  /** Archives a session at this time, or takes it out of the archive. Nothing happens to one that is not remembered. */
  setArchived(id: SessionId, atMs: number | undefined): void
  setPinned(id: SessionId, atMs: number | undefined): void
  forget(id: SessionId): void
}

/** The sessions of an agent that is not jp's: the daemon remembers itself which it has made in this workspace (D19). */
export const createSessionIndex = (path: string, cwd: string): SessionIndex => {
  const file = createStateFile(path)
  const rows = (): readonly Row[] => {
    const {sessions} = file.read()
    return Array.isArray(sessions) ? sessions.filter(isRow) : []
  }
  const write = (sessions: readonly Row[]): void => file.write({cwd, sessions})
  const stamp = (id: SessionId, key: 'archived_at' | 'pinned_at', atMs: number | undefined): void =>
    write(
      rows().map((row) => {
        if (row.id !== id) return row
        const {[key]: _before, ...rest} = row
        return atMs === undefined ? rest : {...rest, [key]: rfc3339(atMs)}
      }),
    )
  return {
    list: async (archived) =>
      rows()
        .map(asStored)
        .filter(({isArchived}) => isArchived === archived),
    async find(id) {
      const row = rows().find((candidate) => candidate.id === id)
      return row === undefined ? undefined : asStored(row)
    },
    remember(session) {
      const others = rows().filter(({id}) => id !== session.id)
      const known = rows().find(({id}) => id === session.id)
      const row = asRow({...session, title: known?.title ?? session.title})
      write([{...known, ...row}, ...others].slice(0, maxEntries))
    },
    setArchived: (id, atMs) => stamp(id, 'archived_at', atMs),
    setPinned: (id, atMs) => stamp(id, 'pinned_at', atMs),
    forget: (id) => write(rows().filter((row) => row.id !== id)),
  }
}

const asStored = (row: Row): StoredSession => ({
  id: row.id,
  agentSessionId: row.agent_session_id,
  title: row.title ?? undefined,
  createdAtMs: Date.parse(row.created_at),
  updatedAtMs: Date.parse(row.updated_at),
  isArchived: row.archived_at !== undefined,
  ...(row.pinned_at === undefined ? {} : {pinnedAtMs: Date.parse(row.pinned_at)}),
})

const asRow = (session: StoredSession): Row => ({
  id: session.id,
  agent_session_id: session.agentSessionId,
  title: session.title ?? null,
  created_at: rfc3339(session.createdAtMs),
  updated_at: rfc3339(session.updatedAtMs),
})

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))

const isRow = (value: unknown): value is Row => {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Partial<Record<keyof Row, unknown>>
  return (
    typeof row.id === 'string' &&
    parseSessionId(row.id) === row.id &&
    typeof row.agent_session_id === 'string' &&
    (row.title === null || typeof row.title === 'string') &&
    [row.created_at, row.updated_at].every(isTime) &&
    [row.archived_at, row.pinned_at].every((time) => time === undefined || isTime(time))
  )
}
