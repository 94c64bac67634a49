import {isAbsolute} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import type {Daemon} from '../daemon.js'
import {canonicalCwd, type WorkspaceRegistry, workspaceMismatch} from '../registry.js'
import {type Call, json, type Route} from '../route.js'
import type {WorkspaceRuntime} from '../runtime.js'
import {decodeCursor, type ListPage, mergeSessions, organized, pageOf, rowOf} from '../session-list.js'

/** The workspace that a path names: by exact id first, by exact canonical cwd second (D19). */
export const workspaceNamed = (selector: string, registry: WorkspaceRegistry): WorkspaceRuntime => {
  const byId = registry.byId(selector)
  if (byId !== undefined) return byId
  const runtime = isAbsolute(selector) ? registry.byCwd(canonicalCwd(selector)) : undefined
  if (runtime === undefined) throw workspaceMismatch(selector, registry.runtimes)
  return runtime
}

/** The default and the largest size of a page. */
const defaultSize = 20
const maxSize = 200

type ListQuery = {
  readonly archived: boolean
  readonly organized: boolean
  readonly group: string | undefined
  readonly size: number
  readonly cursor: string | undefined
}

/** @throws JpError `invalid_archive_state`, `invalid_session_view`, `invalid_session_group_filter`. */
const readQuery = (query: URLSearchParams): ListQuery => {
  const state = query.get('archiveState') ?? 'active'
  if (state !== 'active' && state !== 'archived') {
    throw new JpError('invalid_archive_state', '`archiveState` must be "active" or "archived".')
  }
  const view = query.get('view')
  if (view !== null && view !== 'organized') {
    throw new JpError('invalid_session_view', '`view` must be "organized" when it is given.')
  }
  const group = query.get('group') ?? undefined
  if (group !== undefined && view === null) {
    throw new JpError('invalid_session_group_filter', '`group` needs `view=organized`.')
  }
  const size = /^\d{1,6}$/.test(query.get('size') ?? '') ? Number(query.get('size')) : defaultSize
  return {
    archived: state === 'archived',
    organized: view === 'organized',
    group,
    size: Math.min(maxSize, Math.max(1, size)),
    cursor: query.get('cursor') ?? undefined,
  }
}

/** Live sessions alone fit on the first page, whatever its size: nothing of them could be read on from a cursor (D19). */
const liveOnly = (runtime: WorkspaceRuntime, cursor: string | undefined): ListPage => {
  if (cursor === undefined) {
    return {sessions: mergeSessions(runtime.bridge.sessions, []).map((entry) => rowOf(entry, runtime))}
  }
  decodeCursor(cursor)
  return {sessions: []}
}

const list = async (call: Call, {registry, organization}: Daemon, selector: string): Promise<ListPage> => {
  const runtime = workspaceNamed(selector, registry)
  const query = readQuery(call.query)
  if (!runtime.primary && (query.archived || query.organized)) {
    throw new JpError('primary_workspace_only', 'Archived and organised lists are for the primary workspace only.', {
      details: {workspaceId: runtime.workspaceId, workspaceCwd: runtime.workspaceCwd},
    })
  }
  const stored = await runtime.stored.list(query.archived)
  if (!runtime.primary && stored.length === 0) return liveOnly(runtime, query.cursor)
  const live = query.archived ? [] : runtime.bridge.sessions
  const all = mergeSessions(live, stored)
  const view = query.organized ? organized(all, {organization, group: query.group}) : {entries: all, placed: () => ({})}
  const {entries, ...next} = pageOf(view.entries, query)
  return {sessions: entries.map((entry) => ({...rowOf(entry, runtime), ...view.placed(entry)})), ...next}
}

const listRoute = (path: string, param: string): Route => ({
  method: 'GET',
  path,
  scope: 'workspace',
  summary: 'The sessions of a workspace, live and stored, newest activity first.',
  run: async (call, daemon) => json(await list(call, daemon, call.params[param] ?? '')),
})

/** The session list and its plural alias (D19). */
export const listRoutes: readonly Route[] = [
  listRoute('/workspace/:id/sessions', 'id'),
  listRoute('/workspaces/:workspace/sessions', 'workspace'),
]
