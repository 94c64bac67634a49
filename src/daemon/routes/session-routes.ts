import type {PermissionOutcome} from '../permissions.js'
import type {ContentBlock} from '../prompt-queue.js'
import {type Call, json, noContent, ownerRoute, type Route} from '../route.js'

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

/** Working with live sessions (D12, D17, D18). */
export const sessionRoutes: readonly Route[] = [
  prompt,
  cancel,
  permission,
  heartbeat,
  detach,
  pendingPrompts,
  removePrompt,
  close,
]
