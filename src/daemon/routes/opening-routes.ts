import {parseSessionId} from '../../conversation/session-id.js'
import {rfc3339} from '../../platform/clock.js'
import type {OpenedSession} from '../open-session.js'
import {sessionNotFound} from '../registry.js'
import {json, type Route} from '../route.js'
import type {WorkspaceRuntime} from '../runtime.js'
import {stateOf} from '../session-views.js'
import {applyWishes, type SessionWishes} from '../session-wishes.js'

type CreateBody = {
  readonly cwd?: string
  readonly sessionScope?: 'single' | 'thread'
  readonly sessionId?: string
  readonly approvalMode?: string
  readonly modelServiceId?: string
}

/** What create, load and resume answer alike. */
const opened = (runtime: WorkspaceRuntime, {session, attached}: OpenedSession) => ({
  sessionId: session.id,
  workspaceCwd: runtime.workspaceCwd,
  attached,
  clientId: session.attach(),
  createdAt: rfc3339(session.createdAtMs),
  eventEpoch: session.epoch,
  ...(attached ? {hasActivePrompt: session.turns.running !== undefined, hasRunningBackgroundTasks: false} : {}),
})

/**
 * A new session gets what its client wishes. One that can not is ended, as far as nobody else has it by now: the client is
 * told of an error, and would not know that there is a session.
 */
const wished = async (
  runtime: WorkspaceRuntime,
  {session, attached}: OpenedSession,
  wishes: SessionWishes,
): Promise<void> => {
  if (attached) return
  try {
    await applyWishes(session, wishes)
  } catch (error) {
    if (session.clients.count <= 1) {
      await runtime.bridge.close(session.id, {type: 'session_closed', reason: 'client_close'})
    }
    throw error
  }
}

const create: Route = {
  method: 'POST',
  path: '/session',
  scope: 'workspace',
  summary: 'Makes a session in a workspace, or attaches to the one that its clients share.',
  body: 'createSession',
  async run(call, {registry, opener}) {
    const body = call.body as CreateBody
    const runtime = registry.resolveWorkspaceCwd(body.cwd)
    const sessionId = body.sessionId === undefined ? undefined : parseSessionId(body.sessionId)
    const result = await opener.create(runtime, {sessionId, scope: body.sessionScope ?? 'single'})
    const reply = opened(runtime, result)
    await wished(runtime, result, body)
    return json(reply)
  },
}

const restore = (action: 'load' | 'resume'): Route => ({
  method: 'POST',
  path: `/session/:id/${action}`,
  scope: 'workspace',
  summary:
    action === 'load'
      ? 'Brings a stored session back with its history.'
      : 'Brings a stored session back without its history.',
  body: action === 'load' ? 'loadSession' : 'resumeSession',
  async run(call, {registry, opener}) {
    const body = call.body as {readonly cwd?: string; readonly approvalMode?: string}
    const runtime = registry.resolveWorkspaceCwd(body.cwd)
    const id = parseSessionId(call.params['id'] ?? '')
    if (id === undefined) throw sessionNotFound(call.params['id'] ?? '')
    const result = await opener.restore(runtime, id, action)
    const {session} = result
    const reply = {
      ...opened(runtime, result),
      hasActivePrompt: session.turns.running !== undefined,
      hasRunningBackgroundTasks: false,
      lastEventId: action === 'load' ? session.lastEventId : 0,
      ...(action === 'load' ? {compactedReplay: session.events(), liveJournal: []} : {}),
    }
    await wished(runtime, result, body)
    return json({...reply, state: stateOf(session)})
  },
})

/** Making sessions, and bringing them back (D11, D13). */
export const openingRoutes: readonly Route[] = [create, restore('load'), restore('resume')]
