import assert from 'node:assert/strict'
import {parseSessionId, type SessionId} from '../../../src/conversation/session-id.js'
import {createAdmission} from '../../../src/daemon/admission.js'
import type {LiveSession} from '../../../src/daemon/live-session.js'
import {createSessionOpener} from '../../../src/daemon/open-session.js'
import {createRegistry} from '../../../src/daemon/registry.js'
import type {WorkspaceRuntime} from '../../../src/daemon/runtime.js'
import {createSessionClaims} from '../../../src/daemon/session-claims.js'
import type {StoredSession} from '../../../src/daemon/stored-sessions.js'

const id = parseSessionId('11111111-0000-4000-8000-000000000000') as SessionId

/** A workspace whose one stored session is found when the test says so. */
const createScene = () => {
  let found: (session: StoredSession | undefined) => void = () => undefined
  const live = new Map<SessionId, LiveSession>()
  const runtime = {
    workspaceId: 'a',
    workspaceCwd: '/ws/a',
    primary: true,
    trusted: true,
    stored: {
      find: () =>
        new Promise<StoredSession | undefined>((resolve) => {
          found = resolve
        }),
    },
    bridge: {
      find: (one: SessionId) => live.get(one),
      restore: async () => {
        const session = {id} as LiveSession
        live.set(id, session)
        return session
      },
    },
  } as unknown as WorkspaceRuntime
  const admission = createAdmission({perWorkspace: undefined, total: 2})
  const claims = createSessionClaims()
  const opener = createSessionOpener({registry: createRegistry([runtime]), admission, claims})
  return {opener, runtime, admission, claims, find: (session: StoredSession | undefined) => found(session)}
}

describe('opening sessions', () => {
  it('D13, D15: a copy that is being brought to life is loaded by nobody else meanwhile', async () => {
    const {opener, runtime, admission, claims, find} = createScene()
    const made = opener.bringUp(runtime, () => Promise.resolve(id))
    await Promise.resolve()
    await Promise.resolve()
    await assert.rejects(opener.restore(runtime, id, 'load'), {
      code: 'restore_in_progress',
      details: {
        reason: 'restore_in_progress',
        retryable: true,
        sessionId: id,
        activeAction: 'branch',
        requestedAction: 'load',
      },
    })
    find({id} as StoredSession)
    const session = await made
    assert.deepEqual(await opener.restore(runtime, id, 'load'), {session, attached: true})
    assert.deepEqual([admission.taken(), claims.size], [1, 0])
  })

  it('D15: a copy that can not be made gives its place back', async () => {
    const {opener, runtime, admission, claims, find} = createScene()
    const failed = new Error('no space')
    await assert.rejects(
      opener.bringUp(runtime, () => Promise.reject(failed)),
      failed,
    )
    const lost = opener.bringUp(runtime, () => Promise.resolve(id))
    await Promise.resolve()
    await Promise.resolve()
    find(undefined)
    await assert.rejects(lost, {code: 'session_not_found'})
    assert.deepEqual([admission.taken(), claims.size], [0, 0])
  })
})
