import {JpError} from '../../errors/jp-error.js'
import {rfc3339} from '../../platform/clock.js'
import {copySession} from '../copy-session.js'
import type {Daemon} from '../daemon.js'
import {type ExportFormat, exportFormats, exportSession} from '../export-session.js'
import type {PermissionOutcome} from '../permissions.js'
import {findInPrimary, shelvedSession, unlessBusy} from '../primary-session.js'
import {sessionNotFound} from '../registry.js'
import {json, primaryRoute, type Route} from '../route.js'
import {stateOf} from '../session-views.js'
import {setModel} from '../session-wishes.js'

const formatOf = (text: string | null): ExportFormat => {
  const format = exportFormats.find((candidate) => candidate === (text ?? 'html'))
  if (format !== undefined) return format
  throw new JpError('invalid_format', `\`format\` must be one of ${exportFormats.join(', ')}.`)
}

const exportRoute: Route = {
  method: 'GET',
  path: '/session/:id/export',
  scope: 'primary',
  summary: 'A stored session as a file: `html`, `md`, `json` or `jsonl`.',
  async run(call, daemon) {
    const format = formatOf(call.query.get('format'))
    const text = call.params['id'] ?? ''
    // Of another workspace it says as little as of one that is not there (D22).
    const session = await findInPrimary(daemon, text)
    if (session === undefined) throw sessionNotFound(text)
    const {content, mimeType} = await exportSession(await daemon.registry.primary.shelf(), session, format)
    return {
      text: content,
      headers: {
        'content-type': mimeType,
        'content-disposition': `attachment; filename="${session.id}.${format}"`,
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      },
    }
  },
}

const turnNamed = async (daemon: Daemon, sessionId: string, promptId: string) => {
  const {session, shelf} = await shelvedSession(daemon, sessionId)
  const turn = (await shelf.turns(session)).find((candidate) => candidate.promptId === promptId)
  if (turn !== undefined) return {session, shelf, turn}
  throw new JpError('invalid_request', 'The session has no such turn.', {
    hint: 'GET /session/:id/rewind/snapshots lists them.',
    details: {sessionId, promptId},
  })
}

const branch = primaryRoute({
  method: 'POST',
  path: '/session/:id/branch',
  summary: 'Copies a session, or its turns before one, and brings the copy to life.',
  body: 'branch',
  async run(owned) {
    const {name, atRecordId} = owned.call.body as {readonly name?: string; readonly atRecordId?: string}
    const at = atRecordId === undefined ? undefined : await turnNamed(owned.daemon, owned.session.id, atRecordId)
    const {made, displayName, forkedFrom} = await copySession(owned, {title: name, before: at?.turn.turnIndex})
    return json({
      sessionId: made.id,
      workspaceCwd: owned.runtime.workspaceCwd,
      attached: false,
      clientId: made.attach(),
      createdAt: rfc3339(made.createdAtMs),
      eventEpoch: made.epoch,
      lastEventId: made.lastEventId,
      hasActivePrompt: false,
      state: stateOf(made),
      displayName,
      forkedFrom,
    })
  },
})

const fork = primaryRoute({
  method: 'POST',
  path: '/session/:id/fork',
  summary: 'Copies a session and gives the copy something to do.',
  body: 'fork',
  async run(owned) {
    const {directive} = owned.call.body as {readonly directive: string}
    const {made} = await copySession(owned, {title: undefined, before: undefined})
    made.submit({blocks: [{type: 'text', text: directive}], clientId: undefined, deadlineMs: undefined})
    return json({sessionId: made.id, description: directive, launched: true})
  },
})

const model = primaryRoute({
  method: 'POST',
  path: '/session/:id/model',
  summary: 'Changes the model of a session.',
  body: 'model',
  async run({call, session}) {
    const {modelId} = call.body as {readonly modelId: string}
    await setModel(session, modelId)
    return json({sessionId: session.id, modelId})
  },
})

const rewind = primaryRoute({
  method: 'POST',
  path: '/session/:id/rewind',
  summary: 'Takes back a turn and those after it. What is stored stays readable; the model is told no more of them.',
  body: 'rewind',
  async run({call, session: live, daemon}) {
    const {promptId, rewindFiles} = call.body as {readonly promptId: string; readonly rewindFiles?: boolean}
    if (rewindFiles === true) throw new JpError('not_supported', 'jp does not take back what happened to files.')
    const {session, shelf, turn} = await turnNamed(daemon, live.id, promptId)
    await unlessBusy(session.id, () => shelf.rewind(session, turn))
    live.emit('session_rewound', {targetTurnIndex: turn.turnIndex, promptId})
    return json({rewound: true, targetTurnIndex: turn.turnIndex, filesChanged: [], filesFailed: []})
  },
})

const snapshots = primaryRoute({
  method: 'GET',
  path: '/session/:id/rewind/snapshots',
  summary: 'The turns that can be gone back to.',
  async run({session: live, daemon}) {
    const {session, shelf} = await shelvedSession(daemon, live.id)
    const turns = await shelf.turns(session)
    return json({
      snapshots: turns.map(({promptId, turnIndex, startedAtMs, text}) => ({
        promptId,
        turnIndex,
        timestamp: rfc3339(startedAtMs),
        text,
        diffStats: {filesChanged: 0, insertions: 0, deletions: 0},
      })),
    })
  },
})

const anyPermission: Route = {
  method: 'POST',
  path: '/permission/:requestId',
  scope: 'primary',
  summary: 'Answers a permission request of a session of the primary workspace.',
  body: 'vote',
  run(call, {registry}) {
    const requestId = call.params['requestId'] ?? ''
    const {outcome} = call.body as {readonly outcome: PermissionOutcome}
    const session = registry.primary.bridge.sessions.find(({permissions}) =>
      permissions.pending.some((request) => request.requestId === requestId),
    )
    if (session === undefined) {
      throw new JpError('permission_not_pending', 'No pending permission request.', {details: {requestId}})
    }
    session.vote(requestId, outcome, call.clientId)
    return json({})
  },
}

/** What is served for sessions of the primary workspace alone (D22). */
export const primaryRoutes: readonly Route[] = [exportRoute, branch, fork, model, rewind, snapshots, anyPermission]
