import {JpError} from '../../errors/jp-error.js'
import {rfc3339} from '../../platform/clock.js'
import type {Daemon} from '../daemon.js'
import {type Placement, presetColors, type SessionGroup} from '../organization.js'
import {findInPrimary, shelvedSession, unlessBusy} from '../primary-session.js'
import {problemOf} from '../problem.js'
import {type Call, json, type Method, type Reply, type Route} from '../route.js'
import type {SessionShelf} from '../session-shelf.js'
import type {StoredSession} from '../stored-sessions.js'
import {workspaceNamed} from './list-routes.js'

/** What came of one session of a bulk request. */
type Outcome = 'done' | 'already'

type Bulk = {
  readonly path: string
  readonly summary: string
  /** The names of the answer's lists. */
  readonly done: string
  readonly already?: string
  readonly work: (shelf: SessionShelf, session: StoredSession) => Promise<Outcome>
}

/** Sessions of other workspaces are as unknown here as those that are not there (D22). */
const bulkRoute = ({path, summary, done, already, work}: Bulk): Route => ({
  method: 'POST',
  path,
  scope: 'primary',
  summary,
  body: 'sessionIds',
  async run(call, daemon) {
    const {sessionIds} = call.body as {readonly sessionIds: readonly string[]}
    const lists: Record<Outcome | 'notFound', string[]> = {done: [], already: [], notFound: []}
    const errors: {sessionId: string; error: string}[] = []
    for (const sessionId of new Set(sessionIds)) {
      try {
        const session = await findInPrimary(daemon, sessionId)
        const outcome = session === undefined ? 'notFound' : await shelve(daemon, session, work)
        lists[outcome].push(sessionId)
      } catch (error) {
        errors.push({sessionId, error: problemOf(error).body.error})
      }
    }
    const told = already === undefined ? {} : {[already]: lists.already}
    return json({[done]: lists.done, ...told, notFound: lists.notFound, errors})
  },
})

/** A live session is somebody's: it is closed by those who use it, and not from here. */
const shelve = async (daemon: Daemon, session: StoredSession, work: Bulk['work']): Promise<Outcome> => {
  const {primary} = daemon.registry
  if (primary.bridge.find(session.id) !== undefined) {
    throw new JpError('session_busy', 'The session is live; close it first.', {details: {sessionId: session.id}})
  }
  const shelf = await primary.shelf()
  return unlessBusy(session.id, () => work(shelf, session))
}

const archiving =
  (archived: boolean) =>
  async (shelf: SessionShelf, session: StoredSession): Promise<Outcome> => {
    if (session.isArchived === archived) return 'already'
    await shelf.setArchived(session, archived)
    return 'done'
  }

const organize: Route = {
  method: 'PATCH',
  path: '/session/:id/organization',
  scope: 'primary',
  summary: 'Pins a session, colours it, or puts it in a group.',
  body: 'organization',
  async run(call, daemon) {
    const {isPinned, ...change} = call.body as Partial<Placement> & {readonly isPinned?: boolean}
    const {session, shelf} = await shelvedSession(daemon, call.params['id'] ?? '')
    const placement = daemon.organization.place(session.id, change)
    const wasPinned = session.pinnedAtMs !== undefined
    if (isPinned !== undefined && isPinned !== wasPinned) {
      await unlessBusy(session.id, () => shelf.setPinned(session, isPinned))
    }
    const nowMs = daemon.clock.nowMs()
    const pinned = isPinned ?? wasPinned
    return json({
      sessionId: session.id,
      groupId: placement.groupId,
      isPinned: pinned,
      ...(pinned ? {pinnedAt: rfc3339(session.pinnedAtMs ?? nowMs)} : {}),
      color: placement.color,
      updatedAt: rfc3339(nowMs),
    })
  },
}

type GroupRoute = {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly body?: 'newGroup' | 'groupChange'
  readonly run: (call: Call, daemon: Daemon) => Reply
}

/** Groups are the primary's: they order what is persisted. */
const groupRoute = ({run, ...route}: GroupRoute): Route => ({
  ...route,
  scope: 'primary',
  run(call, daemon) {
    const runtime = workspaceNamed(call.params['id'] ?? '', daemon.registry)
    if (runtime.primary) return run(call, daemon)
    throw new JpError('primary_workspace_only', 'Groups are for the primary workspace only.', {
      details: {workspaceId: runtime.workspaceId, workspaceCwd: runtime.workspaceCwd},
    })
  },
})

const groupsPath = '/workspace/:id/session-groups'

const groupRoutes: readonly Route[] = [
  groupRoute({
    method: 'GET',
    path: groupsPath,
    summary: 'The groups of sessions.',
    run: (_, {organization}) => json({groups: organization.groups(), colorOptions: presetColors}),
  }),
  groupRoute({
    method: 'POST',
    path: groupsPath,
    summary: 'Makes a group.',
    body: 'newGroup',
    run: (call, {organization, clock}) =>
      json({group: organization.addGroup(call.body as {readonly name: string; readonly color: string}, clock.nowMs())}),
  }),
  groupRoute({
    method: 'PATCH',
    path: `${groupsPath}/:groupId`,
    summary: 'Changes a group.',
    body: 'groupChange',
    run: (call, {organization, clock}) => {
      const change = call.body as Partial<Pick<SessionGroup, 'name' | 'color' | 'order'>>
      return json({group: organization.changeGroup(call.params['groupId'] ?? '', change, clock.nowMs())})
    },
  }),
  groupRoute({
    method: 'DELETE',
    path: `${groupsPath}/:groupId`,
    summary: 'Removes a group; its sessions stay.',
    run(call, {organization}) {
      organization.removeGroup(call.params['groupId'] ?? '')
      return json({deleted: true})
    },
  }),
]

/** What is done with stored sessions of the primary workspace (D22). */
export const shelfRoutes: readonly Route[] = [
  bulkRoute({
    path: '/sessions/delete',
    summary: 'Removes stored sessions.',
    done: 'removed',
    async work(shelf, session) {
      await shelf.remove(session)
      return 'done'
    },
  }),
  bulkRoute({
    path: '/sessions/archive',
    summary: 'Archives stored sessions.',
    done: 'archived',
    already: 'alreadyArchived',
    work: archiving(true),
  }),
  bulkRoute({
    path: '/sessions/unarchive',
    summary: 'Takes stored sessions out of the archive.',
    done: 'unarchived',
    already: 'alreadyActive',
    work: archiving(false),
  }),
  organize,
  ...groupRoutes,
]
