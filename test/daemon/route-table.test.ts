import assert from 'node:assert/strict'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseSessionId, type SessionId} from '../../src/conversation/session-id.js'
import type {LiveSession} from '../../src/daemon/live-session.js'
import type {Route} from '../../src/daemon/route.js'
import {routeTable} from '../../src/daemon/route-table.js'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import {type RawAnswer, send} from '../support/http.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {servingToken, startServing, trust} from '../support/serving.js'

/** A body that each schema takes. */
const bodies: Readonly<Record<string, object>> = {
  prompt: {prompt: [{type: 'text', text: 'hi'}]},
  vote: {outcome: {outcome: 'cancelled'}},
  sessionIds: {sessionIds: ['x']},
  organization: {isPinned: true},
  newGroup: {name: 'A group', color: 'red'},
  groupChange: {name: 'Another'},
  model: {modelId: 'm'},
  fork: {directive: 'go'},
  rewind: {promptId: 'turn-0'},
}

const unknownId = '00000000-0000-4000-8000-000000000000'

describe('jp serve: every route', () => {
  let scratch: Scratch
  let daemon: RunningDaemon
  const cwdOf = (name: string): string => join(scratch.path, name)

  before(async () => {
    scratch = createScratch()
    for (const [name, id] of [
      ['a', 'aaaaa'],
      ['b', 'bbbbb'],
      ['u', 'uuuuu'],
    ] as const)
      scratch.checkout(name, id)
    trust(scratch, cwdOf('a'), cwdOf('b'))
    daemon = await startServing(scratch, {workspaces: ['a', 'b', 'u']})
  })
  after(async () => {
    await daemon.stop()
    scratch.remove()
  })

  type Changes = {
    readonly headers?: Readonly<Record<string, string>>
    readonly id?: string
    readonly body?: object | string
  }

  /** Sends what a route takes, for a session or a workspace. */
  const call = (route: Pick<Route, 'method' | 'path' | 'body'>, changes: Changes = {}): Promise<RawAnswer> => {
    const id = changes.id ?? (route.path.startsWith('/workspace') ? daemon.registry.primary.workspaceId : unknownId)
    const path = route.path.replace(/:id|:workspace/, id).replace(/:\w+/, 'no-such')
    const body = changes.body ?? (route.body === undefined ? undefined : (bodies[route.body] ?? {}))
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const headers = {
      host: `127.0.0.1:${daemon.port}`,
      authorization: `Bearer ${servingToken}`,
      ...(text === undefined
        ? {}
        : {'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text))}),
      ...changes.headers,
    }
    return send({port: daemon.port, method: route.method, path, headers, ...(text === undefined ? {} : {body: text})})
  }
  const named = (method: Route['method'], path: string): Route => {
    const route = routeTable.find((candidate) => candidate.method === method && candidate.path === path)
    assert.ok(route !== undefined)
    return route
  }
  const create = async (name: string): Promise<string> => {
    const body = {cwd: cwdOf(name), sessionScope: 'thread'}
    const {status, text} = await call(named('POST', '/session'), {body})
    assert.equal(status, 200, text)
    return JSON.parse(text).sessionId
  }
  const close = (id: string): Promise<RawAnswer> => call(named('DELETE', '/session/:id'), {id})

  for (const route of routeTable) {
    const title = `${route.method} ${route.path}`

    it(`D23, D24, D25: ${title} is behind the guard`, async () => {
      const isOpen = route.path === '/health' || route.path.startsWith('/open/')
      for (const authorization of ['', 'Bearer wrong-token', `Basic ${servingToken}`]) {
        const answer = await call(route, {headers: {authorization}})
        if (isOpen) assert.notEqual(answer.status, 401)
        else assert.deepEqual([answer.status, answer.code], [401, 'unauthorised'])
      }
      const refusals: readonly (readonly [Readonly<Record<string, string>>, number, string])[] = [
        [{host: `evil.example:${daemon.port}`}, 403, 'host_not_allowed'],
        [{origin: 'http://evil.example'}, 403, 'origin_not_allowed'],
        [{'content-type': 'text/plain', 'content-length': '2'}, 415, 'unsupported_media_type'],
        [{'content-type': 'application/json', 'content-length': '20000000'}, 413, 'body_too_large'],
      ]
      for (const [headers, status, code] of refusals) {
        const withBody = 'content-length' in headers ? {body: '{}'} : {}
        const answer = await call(route, {headers, ...withBody}).catch((error: unknown) => error)
        // The client of a body that is never sent whole may see its socket close behind the answer.
        if (answer instanceof Error) assert.equal(status, 413)
        else assert.deepEqual([(answer as RawAnswer).status, (answer as RawAnswer).code], [status, code], code)
      }
    })

    if (route.body !== undefined && route.scope !== 'unsupported') {
      it(`D23, D30: ${title} takes one JSON object`, async () => {
        for (const body of ['{', '[]', '"x"', 'null', '1', '\ufffe']) {
          assert.deepEqual(
            await call(route, {body}).then(({status, code}) => [status, code]),
            [400, 'invalid_json'],
            body,
          )
        }
      })
    }
    if (route.scope === 'owner') {
      it(`D12: ${title} follows the owner, and is a 404 for a miss`, async () => {
        assert.deepEqual(await call(route).then(({status, code}) => [status, code]), [404, 'session_not_found'])
        const answers: (readonly [number, string | undefined])[] = []
        for (const name of ['a', 'b']) {
          const id = await create(name)
          const {status, code} = await call(route, {id})
          assert.notEqual(code, 'session_not_found')
          answers.push([status, code])
          await close(id)
        }
        assert.deepEqual(answers[0], answers[1])
        assert.ok((answers[0]?.[0] ?? 0) < 300 || answers[0]?.[1] === 'permission_not_pending', String(answers[0]))
      })

      it(`D12: ${title} fails closed for two owners`, async () => {
        const id = await create('a')
        const undo = claimTwice(daemon, id)
        assert.deepEqual(await call(route, {id}).then(({status, code}) => [status, code]), [
          500,
          'session_owner_ambiguous',
        ])
        undo()
        await close(id)
      })
    }
    if (route.scope === 'primary' && route.path.startsWith('/session/')) {
      it(`D22: ${title} is for the primary's sessions alone`, async () => {
        const id = await create('b')
        const {status, code} = await call(route, {id})
        const isExport = route.path.endsWith('/export')
        assert.deepEqual(
          [status, code],
          isExport ? [404, 'session_not_found'] : [400, 'non_primary_session_route_not_supported'],
        )
        await close(id)
        assert.deepEqual(await call(route).then((answer) => [answer.status, answer.code]), [404, 'session_not_found'])
      })
    }
    if (route.scope === 'primary' && route.path.startsWith('/session/') && !route.path.endsWith('/export')) {
      it(`D12, D22: ${title} fails closed for two owners`, async () => {
        const id = await create('a')
        const undo = claimTwice(daemon, id)
        const {status, code} = await call(route, {id})
        assert.deepEqual([status, code], [500, 'session_owner_ambiguous'])
        undo()
        await close(id)
      })
    }
    if (route.scope === 'workspace' && route.path.endsWith('/sessions')) {
      it(`D9, D19: ${title} of an untrusted workspace is empty; a path that is no workspace is none`, async () => {
        const {status, text} = await call(route, {id: daemon.registry.runtimes[2]?.workspaceId ?? ''})
        assert.deepEqual([status, text], [200, '{"sessions":[]}'])
        const {status: missed, code} = await call(route, {id: encodeURIComponent(cwdOf('gone'))})
        assert.deepEqual([missed, code], [400, 'workspace_mismatch'])
      })
    }
    if (route.path.startsWith('/sessions/')) {
      it(`D22: ${title} lists a session of another workspace as not found`, async () => {
        const id = await create('b')
        const {status, text} = await call(route, {body: {sessionIds: [id, 'x']}})
        assert.deepEqual([status, JSON.parse(text).notFound, JSON.parse(text).errors], [200, [id, 'x'], []])
        await close(id)
      })
    }
    if (route.path.endsWith('/session-groups')) {
      it(`D22: ${title} is for the primary alone`, async () => {
        const id = daemon.registry.runtimes[1]?.workspaceId ?? ''
        assert.deepEqual(await call(route, {id}).then(({status, code}) => [status, code]), [
          400,
          'primary_workspace_only',
        ])
      })
    }
    if (route.scope === 'unsupported') {
      it(`D22: ${title} is not served in any workspace`, async () => {
        for (const name of ['a', 'b']) {
          const id = await create(name)
          assert.deepEqual(await call(route, {id}).then(({status, code}) => [status, code]), [501, 'not_supported'])
          await close(id)
        }
      })
    }
  }

  for (const path of ['/session', '/session/:id/load', '/session/:id/resume']) {
    it(`D11, D13, D30: POST ${path} checks the fields, then the workspace, then trust`, async () => {
      const route = named('POST', path)
      const cases: readonly (readonly [object, number, string])[] = [
        [{workspaceCwd: cwdOf('b')}, 400, 'unknown_field'],
        [{cwd: cwdOf('b'), cwdd: 1}, 400, 'unknown_field'],
        [{cwd: ''}, 400, 'invalid_request'],
        [{cwd: 'b'}, 400, 'invalid_request'],
        [{cwd: null}, 400, 'invalid_request'],
        [{cwd: 1}, 400, 'invalid_request'],
        [{cwd: '/'.padEnd(5000, 'x')}, 400, 'invalid_request'],
        [{approvalMode: 'wild'}, 400, 'invalid_approval_mode'],
        [{cwd: cwdOf('b/sub')}, 400, 'workspace_mismatch'],
        [{cwd: scratch.path}, 400, 'workspace_mismatch'],
        [{cwd: cwdOf('gone')}, 400, 'workspace_mismatch'],
        [{cwd: cwdOf('u')}, 403, 'untrusted_workspace'],
      ]
      for (const [body, status, code] of cases) {
        const answer = await call(route, {body})
        assert.deepEqual([answer.status, answer.code], [status, code], JSON.stringify(body))
      }
      if (path === '/session') return
      assert.deepEqual(await call(route).then(({status, code}) => [status, code]), [404, 'session_not_found'])
      assert.deepEqual(await call(route, {id: 'nonsense'}).then(({code}) => code), 'session_not_found')
    })
  }

  it('D10: nothing of all this has started a child for the untrusted workspace', () => {
    const pids = join(scratch.path, 'store', 'pids')
    const starts = existsSync(pids) ? readFileSync(pids, 'utf8') : ''
    assert.equal(starts.includes(cwdOf('u')), false)
    assert.equal(daemon.registry.runtimes[2]?.bridge.agentPid, undefined)
  })

  it('D23: an unknown route is a 404, a wrong verb a 405 with Allow, a torn escape a 400; all as JSON', async () => {
    const unknown = await call({method: 'GET', path: '/nowhere'})
    assert.deepEqual([unknown.status, unknown.code], [404, 'route_not_found'])
    const wrong = await call({method: 'PATCH', path: '/session/:id/status'})
    assert.deepEqual([wrong.status, wrong.code, wrong.headers['allow']], [405, 'method_not_allowed', 'GET'])
    const both = await call({method: 'PATCH', path: '/session/:id'})
    assert.deepEqual([both.status, both.headers['allow']], [405, 'DELETE'])
    const torn = await call({method: 'GET', path: '/session/%E0%A4/status'})
    assert.deepEqual([torn.status, torn.code], [400, 'invalid_request'])
    for (const {headers} of [unknown, wrong, torn])
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    const head = await call({method: 'HEAD' as 'GET', path: '/capabilities'})
    assert.equal(head.status, 405)
    const options = await call({method: 'OPTIONS' as 'GET', path: '/session'})
    assert.deepEqual([options.status, options.headers['allow']], [405, 'POST'])
  })

  it('D23, D25: a client id must be one token', async () => {
    for (const id of ['a b', 'x'.repeat(129), 'ä']) {
      const headers = {'x-qwen-client-id': encodeURIComponent(id) === id ? id : `"${id.replace('ä', '')}`}
      assert.equal((await call(named('GET', '/capabilities'), {headers})).code, 'invalid_client_id', id)
    }
  })
})

/** Makes a second runtime claim a session, as a bug would; gives the function that ends it. */
const claimTwice = (daemon: RunningDaemon, text: string): (() => void) => {
  const [a, b] = daemon.registry.runtimes
  const id = parseSessionId(text)
  assert.ok(a !== undefined && b !== undefined && id !== undefined)
  const bridge = b.bridge as {find: (id: SessionId) => LiveSession | undefined}
  const original = bridge.find
  bridge.find = (wanted) => (wanted === id ? a.bridge.find(id) : original(wanted))
  daemon.registry.owners.add(id, b)
  return () => {
    bridge.find = original
  }
}
