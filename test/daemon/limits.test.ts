import assert from 'node:assert/strict'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {connect, type Socket} from 'node:net'
import {join} from 'node:path'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import type {Answer} from '../support/daemon.js'
import {exampleAgent} from '../support/daemon.js'
import {createDaemonClient, type DaemonTestClient} from '../support/daemon-client.js'
import {until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {startServing, trust} from '../support/serving.js'

const soak = process.env['JP_SOAK'] === '1'

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })

/** Settles when the other side, or an error, has closed it. */
const closed = (socket: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(true))
    socket.resume()
  })

describe('jp serve: limits', () => {
  let scratch: Scratch
  let daemon: RunningDaemon
  let client: DaemonTestClient
  const cwdOf = (name: string): string => join(scratch.path, name)
  const start = async (flags: Readonly<Record<string, string>>, ...agent: readonly string[]): Promise<void> => {
    const command = exampleAgent('--store', join(scratch.path, 'store'), ...agent)
    daemon = await startServing(scratch, {workspaces: ['a', 'b'], flags: {agent: command, ...flags}})
    client = createDaemonClient(daemon)
  }
  beforeEach(() => {
    scratch = createScratch()
    scratch.checkout('a', 'aaaaa')
    scratch.checkout('b', 'bbbbb')
    trust(scratch, scratch.path)
  })
  afterEach(async () => {
    await daemon.stop()
    scratch.remove()
  })

  const createIn = (name: string, more: object = {}): Promise<Answer> =>
    client.ask('POST', '/session', {cwd: cwdOf(name), sessionScope: 'thread', ...more})
  const admissions = async (): Promise<number> =>
    (await client.ask('GET', '/daemon/status')).body['runtime'].sessions.admissionInFlight
  const active = async (): Promise<{active: number; taken: number}> =>
    (await client.ask('GET', '/daemon/status')).body['runtime'].sessions
  const closeAll = async (): Promise<void> => {
    const ids = daemon.registry.runtimes.flatMap(({bridge}) => bridge.sessions.map(({id}) => id))
    await Promise.all(ids.map((id) => client.ask('DELETE', `/session/${id}`)))
  }

  it('D15, FR-45: 50 creates at once at a cap of 5, a third of them failing: never more than 5, and places come back', async () => {
    await start({'max-total-sessions': '5'}, '--fail-new', '3')
    for (let round = 0; round < (soak ? 100 : 5); round++) {
      const answers = await Promise.all(Array.from({length: 50}, (_, at) => createIn(at % 2 === 0 ? 'a' : 'b')))
      const made = answers.filter(({status}) => status === 200)
      const full = answers.filter(({body}) => body['code'] === 'session_limit_exceeded')
      const failed = answers.filter(({body}) => body['code'] === 'agent_failed')
      assert.equal(made.length + full.length + failed.length, 50)
      assert.ok(made.length <= 5)
      assert.deepEqual(await active(), {active: made.length, admissionInFlight: 0, taken: made.length})
      for (const {status, body, headers} of full) {
        assert.deepEqual([status, body['limit'], body['scope'], headers.get('retry-after')], [503, 5, 'total', '5'])
      }
      for (const {status} of failed) assert.equal(status, 502)
      // Exactly five can be had, however many attempts fail on the way.
      await until(async () => (await createIn('a')).body['code'] === 'session_limit_exceeded', 'all places are taken')
      assert.deepEqual(await active(), {active: 5, admissionInFlight: 0, taken: 5})
      await closeAll()
      assert.deepEqual(await active(), {active: 0, admissionInFlight: 0, taken: 0})
    }
  })

  it('D15: the cap of a workspace is its own; attaching is never counted; the order is cwd, workspace, trust, caps', async () => {
    await start({'max-sessions': '1'})
    const first = await client.ask('POST', '/session', {cwd: cwdOf('a')})
    assert.equal(first.status, 200)
    const second = await client.ask('POST', '/session', {cwd: cwdOf('a')})
    assert.deepEqual([second.status, second.body['attached']], [200, true])
    const full = await createIn('a')
    assert.deepEqual([full.status, full.body['scope'], full.body['limit']], [503, 'workspace', 1])
    assert.equal((await createIn('b')).status, 200)
    const {body} = await client.ask('GET', '/capabilities')
    assert.deepEqual([body['limits'].maxSessionsPerWorkspace, body['limits'].maxTotalSessions], [1, 2])
    assert.equal((await createIn('gone')).body['code'], 'workspace_mismatch')
    assert.equal((await client.ask('POST', '/session', {cwd: 'a'})).body['code'], 'invalid_request')
  })

  it('D15: a restore counts, and attaching to what is live does not', async () => {
    await start({'max-total-sessions': '2'})
    const stored: string[] = []
    for (const text of ['one', 'two']) {
      const {sessionId} = (await createIn('a')).body
      assert.equal(await client.turn(sessionId, text), 'end_turn')
      stored.push(sessionId)
    }
    await closeAll()
    const load = (id: string | undefined, action = 'load') =>
      client.ask('POST', `/session/${id}/${action}`, {cwd: cwdOf('a')})
    assert.equal((await load(stored[0])).status, 200)
    assert.equal((await createIn('b')).status, 200)
    assert.equal((await load(stored[1])).body['code'], 'session_limit_exceeded')
    assert.equal((await load(stored[1], 'resume')).body['code'], 'session_limit_exceeded')
    const again = await load(stored[0])
    assert.deepEqual([again.status, again.body['attached']], [200, true])
    await closeAll()
    assert.equal((await load(stored[1], 'resume')).status, 200)
    assert.deepEqual((await active()).taken, 1)
  })

  it('D25: connections beyond --max-connections are reset, those that are open go on, and a place that is freed is free', async () => {
    await start({'max-connections': '3'})
    const open = await Promise.all([1, 2, 3].map(() => connected(daemon.port)))
    const reset = await closed(connect(daemon.port, '127.0.0.1'))
    assert.equal(reset, true)
    for (const socket of open) assert.equal(socket.destroyed, false)
    const [first] = open
    assert.ok(first !== undefined)
    const gone = closed(first)
    first.end()
    await gone
    // The daemon may hear of the end a little later than we do.
    const isFree = async (): Promise<boolean> =>
      client.ask('GET', '/health').then(
        ({body}) => body['status'] === 'ok',
        () => false,
      )
    await until(isFree, 'a place is free')
    for (const socket of open) socket.destroy()
  })

  it('D11: of concurrent creates of the shared session one makes it, the rest attach', async () => {
    await start({})
    const answers = await Promise.all(Array.from({length: 8}, () => client.ask('POST', '/session', {cwd: cwdOf('b')})))
    assert.equal(answers.filter(({body}) => body['attached'] === false).length, 1)
    assert.equal(new Set(answers.map(({body}) => body['sessionId'])).size, 1)
    assert.equal(new Set(answers.map(({body}) => body['clientId'])).size, 8)
    assert.equal((await active()).active, 1)
  })

  it('FR-44: of 40 creates with one id over two workspaces exactly one wins, and one child is started', async () => {
    await start({})
    for (let round = 0; round < (soak ? 20 : 3); round++) {
      const sessionId = `0000000${round % 10}-0000-4000-8000-00000000aB${String(round).padStart(2, '0')}`
      const answers = await Promise.all(
        Array.from({length: 40}, (_, at) =>
          createIn(at % 2 === 0 ? 'a' : 'b', {sessionId: at % 3 === 0 ? sessionId.toUpperCase() : sessionId}),
        ),
      )
      const made = answers.filter(({status}) => status === 200)
      assert.deepEqual(
        made.map(({body}) => body['sessionId']),
        [sessionId.toLowerCase()],
      )
      const lost = answers.filter(({status}) => status !== 200)
      assert.ok(lost.every(({status, body}) => status === 409 && body['code'] === 'session_id_conflict'))
      assert.equal((await client.ask('GET', `/session/${sessionId}/status`)).status, 200)
      await closeAll()
    }
    assert.equal(
      readFileSync(join(scratch.path, 'store', 'pids'), 'utf8')
        .trim()
        .split('\n').length,
      1,
    )
  })

  it('FR-44, D19: an id that is stored already is taken', async () => {
    await start({})
    const {sessionId} = (await createIn('a')).body
    await client.turn(sessionId, 'hi')
    await closeAll()
    const taken = await createIn('b', {sessionId})
    assert.deepEqual([taken.status, taken.body['code'], taken.body['conflict']], [409, 'session_id_conflict', 'stored'])
    assert.equal((await createIn('a', {sessionId: 'nonsense'})).body['code'], 'invalid_session_id')
  })

  it('D13: restores of one session coalesce, exclude the other kind, and are refused elsewhere', async () => {
    const open = join(scratch.path, 'open')
    await start({}, '--held-load', open)
    const {sessionId} = (await createIn('a')).body
    await client.turn(sessionId, 'hi')
    const restore = (action: string, name: string) =>
      client.ask('POST', `/session/${sessionId}/${action}`, {cwd: cwdOf(name)})
    const elsewhere = await restore('load', 'b')
    assert.deepEqual(
      [elsewhere.status, elsewhere.body['code'], elsewhere.body['liveWorkspaceCwd'], elsewhere.body['workspaceCwd']],
      [409, 'session_workspace_conflict', cwdOf('a'), cwdOf('b')],
    )
    await closeAll()
    const first = restore('load', 'a')
    await until(async () => (await admissions()) > 0, 'the load runs')
    const second = restore('load', 'a')
    const refused = [await restore('resume', 'a'), await restore('load', 'b')]
    scratch.write('open', '')
    const answers = [await first, await second, ...refused]
    assert.deepEqual(
      answers.map(({status, body}) => [status, body['attached'] ?? body['code']]),
      [
        [200, false],
        [200, true],
        [409, 'restore_in_progress'],
        [409, 'session_workspace_conflict'],
      ],
    )
    assert.deepEqual(
      [answers[2]?.headers.get('retry-after'), answers[2]?.body['activeAction'], answers[2]?.body['requestedAction']],
      ['5', 'load', 'resume'],
    )
    assert.equal(answers[3]?.body['conflict'], 'pending')
    await closeAll()
    for (const name of ['b', undefined]) {
      const body = name === undefined ? {} : {cwd: cwdOf(name)}
      const missed = await client.ask('POST', `/session/${sessionId}/load`, body)
      assert.equal(
        missed.status,
        name === undefined ? 200 : 404,
        'it looks in the workspace that is asked for, else in the primary',
      )
    }
  })

  it('D19: an agent that can not load says so', async () => {
    await start({}, '--no-load', '--no-resume')
    const {sessionId} = (await createIn('a')).body
    await client.turn(sessionId, 'hi')
    await closeAll()
    for (const action of ['load', 'resume']) {
      const {status, body} = await client.ask('POST', `/session/${sessionId}/${action}`, {cwd: cwdOf('a')})
      assert.deepEqual([status, body['code']], [409, 'restore_not_supported'])
    }
    assert.deepEqual((await active()).taken, 0)
  })

  it('D19: an agent that can load but not resume is resumed without its history', async () => {
    await start({}, '--no-resume')
    const {sessionId} = (await createIn('a')).body
    await client.turn(sessionId, 'hi')
    await closeAll()
    const {status, body} = await client.ask('POST', `/session/${sessionId}/resume`, {cwd: cwdOf('a')})
    assert.deepEqual([status, body['lastEventId'], 'compactedReplay' in body], [200, 0, false])
    const reader = await client.read(sessionId, {lastEventId: 0})
    await reader.until(({type}) => type === 'replay_complete')
    assert.equal(reader.events.length, 1)
    reader.cut()
  })

  it('Q29: 500 sessions leave descriptors, timers and children where they were', async () => {
    await start({'max-sessions': '0'})
    const use = async (): Promise<void> => {
      const session = await client.create(cwdOf('a'))
      const reader = await client.read(session)
      await client.prompt(session, 'hi')
      await reader.until(({type}) => type === 'turn_complete')
      await client.ask('DELETE', `/session/${session}`)
      await reader.done
    }
    const held = () => ({
      descriptors: readdirSync('/proc/self/fd').length,
      timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    })
    for (let at = 0; at < 5; at++) await use()
    const before = held()
    for (let at = 0; at < (soak ? 500 : 50); at++) await use()
    const isGivenBack = (): boolean => held().descriptors <= before.descriptors && held().timers <= before.timers
    await until(isGivenBack, 'descriptors and timers are given back')
    assert.equal(
      readFileSync(join(scratch.path, 'store', 'pids'), 'utf8')
        .trim()
        .split('\n').length,
      1,
    )
    assert.deepEqual((await active()).taken, 0)
  })

  it('D10: an agent that does not start, or prints a banner first, is told of in words', async () => {
    await start({}, '--fail-start', '2')
    assert.equal((await createIn('a')).status, 200)
    const failed = await createIn('b')
    assert.deepEqual([failed.status, failed.body['code']], [502, 'agent_exited'])
    assert.deepEqual((await active()).taken, 1)
    assert.equal((await createIn('b')).status, 200, 'the next creation starts a new one')
    await daemon.stop()
    await start({}, '--banner')
    assert.equal((await createIn('a')).status, 200)
  })

  it('D5, D10: an agent that never answers its greeting holds neither a stop up nor those who wait for it', async () => {
    await start({}, '--mute', 'initialize')
    const waiting = createIn('a')
    await until(() => existsSync(join(scratch.path, 'store', 'pids')), 'the agent runs')
    await daemon.stop()
    const {status, body} = await waiting
    assert.deepEqual([status, body['code']], [502, 'agent_exited'])
  })

  it('D15, D30: a session that can not be as its client wishes is ended, and its place is free', async () => {
    await start({}, '--fail-mode')
    const refused = await createIn('a', {approvalMode: 'yolo'})
    assert.deepEqual([refused.status, refused.body['code']], [502, 'agent_failed'])
    assert.deepEqual(await active(), {active: 0, admissionInFlight: 0, taken: 0})
    assert.equal((await createIn('a')).status, 200)
  })

  it('D12: agents that name their sessions alike own different sessions of the daemon', async () => {
    await start({}, '--count-ids')
    const ids = [await client.create(cwdOf('a')), await client.create(cwdOf('b'))]
    assert.equal(new Set(ids).size, 2)
    for (const [at, id] of ids.entries()) {
      assert.equal(await client.turn(id, 'hi'), 'end_turn')
      assert.equal((await client.ask('GET', `/session/${id}/status`)).body['workspaceCwd'], cwdOf('ab'.charAt(at)))
    }
  })
})
