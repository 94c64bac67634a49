import {parseSessionId} from '../../conversation/session-id.js'
import {rfc3339} from '../../platform/clock.js'
import type {LiveSession} from '../live-session.js'
import type {PermissionOutcome} from '../permissions.js'
import type {ContentBlock} from '../prompt-queue.js'
import {sessionNotFound} from '../registry.js'
import {type Call, json, noContent, ownerRoute, type Route} from '../route.js'
import type {WorkspaceRuntime} from '../runtime.js'
import {stateOf} from '../session-views.js'
import {applyWishes} from '../session-wishes.js'

type CreateBody = {
  readonly cwd?: string
  readonly sessionScope?: 'single' | 'thread'
  readonly sessionId?: string
  readonly approvalMode?: string
  readonly modelServiceId?: string
}

/** What create, load and resume answer alike. */
const opened = (runtime: WorkspaceRuntime, {session, attached}: {session: LiveSession; attached: boolean}) => ({
  sessionId: session.id,
  workspaceCwd: runtime.workspaceCwd,
  attached,
  clientId: session.attach(),
  createdAt: rfc3339(session.createdAtMs),
  eventEpoch: session.epoch,
  ...(attached ? {hasActivePrompt: session.turns.running !== undefined, hasRunningBackgroundTasks: false} : {}),
})

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
    if (!result.attached) await applyWishes(result.session, body)
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
    if (!result.attached) await applyWishes(session, body)
    return json({...reply, state: stateOf(session)})
  },
})

const prompt = ownerRoute({
  method: 'POST',
  path: '/session/:id/prompt',
  summary: 'Takes a prompt; what comes of it is told as events.',
  body: 'prompt',
  checksClient: true,
  run({call, session}) {
    const {prompt: blocks, deadlineMs} = call.body as {
      readonly prompt: readonly ContentBlock[]
      readonly deadlineMs?: number
    }
    return {status: 202, body: session.submit({blocks, deadlineMs, clientId: call.clientId})}
  },
})

const cancel = ownerRoute({
  method: 'POST',
  path: '/session/:id/cancel',
  summary: 'Stops the running turn; what it produced stays, and what waits goes on.',
  body: 'nothing',
  checksClient: true,
  run({session}) {
    session.turns.cancel()
    return noContent
  },
})

const heartbeat = ownerRoute({
  method: 'POST',
  path: '/session/:id/heartbeat',
  summary: 'Says that a client is still there.',
  body: 'nothing',
  checksClient: true,
  run: ({call, session, daemon}) =>
    json({
      sessionId: session.id,
      ...(call.clientId === undefined ? {} : {clientId: call.clientId}),
      lastSeenAt: daemon.clock.nowMs(),
    }),
})

const detach = ownerRoute({
  method: 'POST',
  path: '/session/:id/detach',
  summary: 'Lets a client go; the last one takes the session with it, after its turn.',
  body: 'nothing',
  run({call, session}) {
    session.detach(call.clientId)
    return noContent
  },
})

const pendingPrompts = ownerRoute({
  method: 'GET',
  path: '/session/:id/pending-prompts',
  summary: 'Lists the running prompt and those that wait.',
  run({session: {turns}}) {
    const all = [...(turns.running === undefined ? [] : [turns.running]), ...turns.waiting]
    return json({
      pendingPrompts: all.map((prompt) => ({
        promptId: prompt.promptId,
        text: prompt.text,
        queuedAt: prompt.queuedAtMs,
        state: prompt === turns.running ? 'running' : 'queued',
        ...(prompt.clientId === undefined ? {} : {originatorClientId: prompt.clientId}),
      })),
    })
  },
})

const removePrompt = ownerRoute({
  method: 'DELETE',
  path: '/session/:id/pending-prompts/:promptId',
  summary: 'Takes a waiting prompt out, or cancels the running one.',
  run: ({call, session}) => json({removed: session.turns.remove(call.params['promptId'] ?? '')}),
})

const close = ownerRoute({
  method: 'DELETE',
  path: '/session/:id',
  summary: 'Ends a session; what is stored of it stays.',
  async run({runtime, session}) {
    await runtime.bridge.close(session.id, {type: 'session_closed', reason: 'client_close'})
    return noContent
  },
})

const outcomeOf = (call: Call): PermissionOutcome => (call.body as {readonly outcome: PermissionOutcome}).outcome

const permission = ownerRoute({
  method: 'POST',
  path: '/session/:id/permission/:requestId',
  summary: 'Answers a permission request; the first answer counts.',
  body: 'vote',
  checksClient: true,
  run({call, session}) {
    session.vote(call.params['requestId'] ?? '', outcomeOf(call), call.clientId)
    return json({})
  },
})

/** Making sessions and working with live ones (D11 to D13, D17, D18). */
export const sessionRoutes: readonly Route[] = [
  create,
  restore('load'),
  restore('resume'),
  prompt,
  cancel,
  permission,
  heartbeat,
  detach,
  pendingPrompts,
  removePrompt,
  close,
]
