import assert from 'node:assert/strict'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {closeIdleSessions, idleSessionMs} from '../../src/daemon/reap-idle.js'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import {procStat} from '../../src/platform/processes.js'
import {exampleAgent, startDaemon} from '../support/daemon.js'
import {createDaemonClient, type DaemonTestClient} from '../support/daemon-client.js'
import {chunkOf, type EventReader} from '../support/event-reader.js'
import {isRunning, until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {startServing, trust} from '../support/serving.js'

const once = {outcome: {outcome: 'selected', optionId: 'proceed_once'}}
const reject = {outcome: {outcome: 'selected', optionId: 'cancel'}}

describe('jp serve: turns and permissions', () => {
  let scratch: Scratch
  let daemon: RunningDaemon
  let client: DaemonTestClient
  const cwdOf = (name: string): string => join(scratch.path, name)
  beforeEach(async () => {
    scratch = createScratch()
    scratch.checkout('a', 'aaaaa')
    scratch.checkout('b', 'bbbbb')
    trust(scratch, scratch.path)
    daemon = await startServing(scratch, {workspaces: ['a', 'b']})
    client = createDaemonClient(daemon)
  })
  afterEach(async () => {
    await daemon.stop()
    scratch.remove()
  })

  const permissionOf = async (reader: EventReader): Promise<string> =>
    (await reader.until(({type}) => type === 'permission_request')).data['requestId']
  const vote = (session: string, requestId: string, body: object) =>
    client.ask('POST', `/session/${session}/permission/${requestId}`, body)
  const status = async (session: string) => (await client.ask('GET', `/session/${session}/status`)).body
  const typesOf = (reader: EventReader, promptId?: string): string[] =>
    reader.events
      .filter(({type, data}) => type !== 'session_update' && (promptId === undefined || data['promptId'] === promptId))
      .map(({type, data}) => [type, data['stopReason'] ?? data['state']].filter((word) => word !== undefined).join(' '))

  it('D17: a sixth prompt is refused with a number and a time; the others run in their order', async () => {
    const session = await client.create(cwdOf('b'))
    const reader = await client.read(session)
    await client.prompt(session, '[[slow:60000]]')
    for (const text of ['2', '3', '4', '5']) await client.prompt(session, text)
    const full = await client.ask('POST', `/session/${session}/prompt`, {prompt: [{type: 'text', text: '6'}]})
    assert.deepEqual(
      [full.status, full.body['code'], full.body['limit'], full.body['pendingCount'], full.headers.get('retry-after')],
      [503, 'prompt_queue_full', 5, 5, '5'],
    )
    const {body} = await client.ask('GET', `/session/${session}/pending-prompts`)
    assert.deepEqual(
      body['pendingPrompts'].map(({text, state}: {text: string; state: string}) => [text, state]),
      [
        ['[[slow:60000]]', 'running'],
        ['2', 'queued'],
        ['3', 'queued'],
        ['4', 'queued'],
        ['5', 'queued'],
      ],
    )
    const third = body['pendingPrompts'][2].promptId
    assert.deepEqual((await client.ask('DELETE', `/session/${session}/pending-prompts/${third}`)).body, {removed: true})
    assert.deepEqual((await client.ask('DELETE', `/session/${session}/pending-prompts/x`)).body, {removed: false})
    await client.ask('POST', `/session/${session}/cancel`)
    await reader.until((event) => chunkOf(event) === 'ok: 5')
    assert.equal(reader.events.map(chunkOf).join(''), 'started ok: 2ok: 4ok: 5')
    const second = body['pendingPrompts'][1].promptId
    assert.deepEqual(typesOf(reader, second), [
      'pending_prompt_added',
      'pending_prompt_started',
      'pending_prompt_completed completed',
      'turn_complete end_turn',
    ])
    assert.deepEqual(typesOf(reader, third), [
      'pending_prompt_added',
      'pending_prompt_completed removed',
      'turn_complete cancelled',
    ])
    reader.cut()
  })

  it('D29: removing the running prompt cancels it; what it said stays', async () => {
    const session = await client.create(cwdOf('a'))
    const reader = await client.read(session)
    const {promptId} = await client.prompt(session, '[[slow:60000]]')
    await reader.until((event) => chunkOf(event) === 'started ')
    assert.deepEqual((await client.ask('DELETE', `/session/${session}/pending-prompts/${promptId}`)).body, {
      removed: true,
    })
    await reader.until(({type}) => type === 'turn_complete')
    assert.deepEqual(typesOf(reader), ['prompt_cancelled', 'turn_complete cancelled'])
    reader.cut()
  })

  it('D29: a late cancel, on an idle session, or twice, leaves no contradictory events', async () => {
    const session = await client.create(cwdOf('a'))
    const reader = await client.read(session)
    const cancel = () => client.ask('POST', `/session/${session}/cancel`)
    assert.equal((await cancel()).status, 204)
    await client.prompt(session, '[[late]]')
    await Promise.all([cancel(), cancel(), cancel()])
    await reader.until(({type}) => type === 'turn_complete')
    assert.equal((await cancel()).status, 204)
    assert.equal(await client.turn(session, 'next'), 'end_turn')
    await reader.until(() => typesOf(reader).length === 2)
    assert.deepEqual(typesOf(reader), ['turn_complete end_turn', 'turn_complete end_turn'])
    reader.cut()
  })

  it('D29: an agent that is deaf to a cancel does not hold the session for ever', async () => {
    const session = await client.create(cwdOf('a'))
    const reader = await client.read(session)
    await client.prompt(session, '[[deaf]]')
    await client.ask('POST', `/session/${session}/cancel`)
    await reader.until(({type}) => type === 'turn_complete')
    assert.deepEqual(typesOf(reader), ['prompt_cancelled', 'turn_complete cancelled'])
    assert.equal((await status(session))['hasActivePrompt'], false)
    reader.cut()
  })

  it('D26, D29: a turn that fails says so once, without a path or a stack', async () => {
    const session = await client.create(cwdOf('a'))
    const reader = await client.read(session)
    const end = await client.turn(session, '[[error]]')
    assert.equal(end, `error: Internal error: it broke in ${cwdOf('a')}/x and [path], `)
    await reader.until(({type}) => type === 'turn_error')
    assert.deepEqual(typesOf(reader), ['turn_error'])
    const told = await status(session)
    assert.deepEqual([told['hasTurnError'], told['turnError'].code], [true, '-32603'])
    assert.equal(await client.turn(session, 'again'), 'end_turn')
    assert.equal((await status(session))['hasTurnError'], false)
    reader.cut()
  })

  it('D29: a deadline fails the turn without a flag of the daemon', async () => {
    const session = await client.create(cwdOf('a'))
    const reader = await client.read(session)
    const body = {prompt: [{type: 'text', text: '[[slow:60000]]'}], deadlineMs: 50}
    assert.equal((await client.ask('POST', `/session/${session}/prompt`, body)).status, 202)
    const {data} = await reader.until(({type}) => type === 'turn_error')
    assert.deepEqual([data['code'], data['message']], ['prompt_deadline_exceeded', 'prompt exceeded the 50ms deadline'])
    assert.equal(await client.turn(session, 'next'), 'end_turn')
    // Each reader reads at its own pace.
    await reader.until(({type}) => type === 'turn_complete')
    assert.deepEqual(typesOf(reader), ['turn_error', 'turn_complete end_turn'])
    for (const deadlineMs of [0, -1, 1.5, '50']) {
      const refused = await client.ask('POST', `/session/${session}/prompt`, {...body, deadlineMs})
      assert.deepEqual([refused.status, refused.body['code']], [400, 'invalid_deadline_ms'])
    }
    reader.cut()
  })

  it('D29: closing a busy session ends what runs, starts nothing that waits, and ends the streams', async () => {
    const session = await client.create(cwdOf('a'))
    const reader = await client.read(session)
    const running = await client.prompt(session, '[[slow:60000]]')
    const waiting = await client.prompt(session, 'never')
    await reader.until((event) => chunkOf(event) === 'started ')
    assert.equal((await client.ask('DELETE', `/session/${session}`)).status, 204)
    await reader.done
    assert.deepEqual(typesOf(reader, waiting.promptId).slice(-2), [
      'pending_prompt_completed removed',
      'turn_complete cancelled',
    ])
    assert.deepEqual(typesOf(reader, running.promptId).slice(-2), ['prompt_cancelled', 'turn_complete cancelled'])
    assert.deepEqual(
      [reader.events.at(-1)?.type, reader.events.at(-1)?.data],
      ['session_closed', {sessionId: session, reason: 'client_close'}],
    )
    assert.equal(reader.events.map(chunkOf).join(''), 'started ')
    assert.equal((await client.ask('DELETE', `/session/${session}`)).status, 404)
  })

  it('D18, FR-43: of two answers at the same moment one counts, and the tool runs by it', async () => {
    const session = await client.create(cwdOf('b'))
    const other = await client.create(cwdOf('b'))
    const rounds = process.env['JP_SOAK'] === '1' ? 100 : 10
    let allowed = 0
    for (let round = 0; round < rounds; round++) {
      const reader = await client.read(session)
      await client.prompt(session, `[[tool:shell run-${round}]]`)
      const requestId = await permissionOf(reader)
      assert.equal((await vote(other, requestId, once)).status, 404)
      const wrong = await vote(session, requestId, {outcome: {outcome: 'selected', optionId: 'nope'}})
      assert.deepEqual([wrong.status, wrong.body['code']], [400, 'invalid_option_id'])
      const answers = await Promise.all([vote(session, requestId, once), vote(session, requestId, reject)])
      assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200, 404]))
      assert.equal(answers.find((answer) => answer.status === 404)?.body['code'], 'permission_not_pending')
      await reader.until(({type}) => type === 'turn_complete')
      const resolved = reader.events.filter(({type}) => type === 'permission_resolved')
      const won = answers[0]?.status === 200
      assert.deepEqual(
        resolved.map(({data}) => data['outcome']),
        [(won ? once : reject).outcome],
      )
      if (won) allowed += 1
      assert.equal((await vote(session, requestId, once)).status, 404, 'a retry')
      reader.cut()
    }
    const ran = join(scratch.path, 'store', 'ran')
    const runs = existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n') : []
    assert.equal(runs.length, allowed)
  })

  it('D18, FR-42: one unanswered request blocks no other session, and stays to be seen', async () => {
    const [one, two, three] = [
      await client.create(cwdOf('a')),
      await client.create(cwdOf('a')),
      await client.create(cwdOf('b')),
    ] as const
    const readers = await Promise.all([one, two, three].map((session) => client.read(session)))
    for (const session of [one, two, three]) await client.prompt(session, `[[tool:shell ${session}]]`)
    const [first = '', second = '', third = ''] = await Promise.all(readers.map(permissionOf))
    assert.equal((await vote(two, second, once)).status, 200)
    assert.equal((await vote(three, third, once)).status, 200)
    await Promise.all(readers.slice(1).map((reader) => reader.until(({type}) => type === 'turn_complete')))
    const waiting = await status(one)
    assert.deepEqual([waiting['isWaitingForPermission'], waiting['pendingInteractions'][0].requestId], [true, first])
    const {body} = await client.ask('GET', '/daemon/status')
    assert.equal(body['runtime'].permissions.pending, 1)
    await client.ask('DELETE', `/session/${one}`)
    await readers[0]?.done
    assert.deepEqual(
      readers[0]?.events.filter(({type}) => type === 'permission_resolved').map(({data}) => data['outcome']),
      [{outcome: 'cancelled'}],
    )
    for (const reader of readers) reader.cut()
  })

  it('D18, D22: POST /permission/:requestId sees the primary alone', async () => {
    for (const [name, expected] of [
      ['a', 200],
      ['b', 404],
    ] as const) {
      const session = await client.create(cwdOf(name))
      const reader = await client.read(session)
      await client.prompt(session, '[[tool:shell x]]')
      const requestId = await permissionOf(reader)
      assert.equal((await client.ask('POST', `/permission/${requestId}`, once)).status, expected)
      reader.cut()
      await client.ask('DELETE', `/session/${session}`)
    }
  })

  it('D10: an agent that dies in mid-turn ends its sessions, leaves the others, and the next one works', async () => {
    const [dying, beside, elsewhere] = [
      await client.create(cwdOf('a')),
      await client.create(cwdOf('a')),
      await client.create(cwdOf('b')),
    ] as const
    const readers = await Promise.all([dying, beside, elsewhere].map((session) => client.read(session)))
    await client.prompt(beside, 'kept')
    await readers[1]?.until((event) => event.type === 'turn_complete')
    await client.prompt(dying, '[[slow:60000]]')
    await client.prompt(dying, 'never')
    await readers[0]?.until((event) => chunkOf(event) === 'started ')
    process.kill(daemon.registry.primary.bridge.agentPid ?? 0, 'SIGKILL')
    await Promise.all(readers.slice(0, 2).map((reader) => reader.done))
    for (const reader of readers.slice(0, 2)) {
      const {type, data} = reader.events.at(-1) ?? {type: '', data: {}}
      assert.equal(type, 'session_died')
      assert.deepEqual([data['reason'], data['signalCode'], data['exitCode']], ['channel_closed', 'SIGKILL', null])
    }
    assert.equal(readers[0]?.events.filter(({type}) => type === 'turn_error').length, 2)
    assert.equal(readers[2]?.ended, false)
    assert.equal(await client.turn(elsewhere, 'hi'), 'end_turn')
    for (const session of [dying, beside])
      assert.equal((await client.ask('GET', `/session/${session}/status`)).status, 404)
    const loaded = await client.ask('POST', `/session/${beside}/load`, {cwd: cwdOf('a')})
    assert.equal(loaded.status, 200)
    const texts = loaded.body['compactedReplay'].map(
      (event: {data: {update: {content?: {text: string}}}}) => event.data.update.content?.text,
    )
    assert.deepEqual(texts, ['kept', 'ok: kept'])
    assert.equal(await client.turn(await client.create(cwdOf('a')), 'new'), 'end_turn')
    readers[2]?.cut()
  })

  it('D14: a session that nobody reads or uses for half an hour is closed; one with a reader is not', async () => {
    const [left, read] = [await client.create(cwdOf('a')), await client.create(cwdOf('b'))]
    const reader = await client.read(read)
    const usedAtMs = daemon.registry.primary.bridge.sessions[0]?.updatedAtMs ?? 0
    await closeIdleSessions(daemon.registry, usedAtMs + idleSessionMs - 1)
    assert.equal((await client.ask('GET', `/session/${left}/status`)).status, 200)
    await closeIdleSessions(daemon.registry, Date.now() + idleSessionMs)
    assert.equal((await client.ask('GET', `/session/${left}/status`)).status, 404)
    assert.equal((await client.ask('GET', `/session/${read}/status`)).status, 200)
    reader.cut()
  })

  it('D5, Q28: a daemon that is killed leaves no agent behind', async () => {
    const other = await startDaemon(scratch, ['-w', 'a', '-w', 'b', '--agent', exampleAgent()], {
      env: {JP_TRUST_WORKSPACE: '1'},
    })
    for (const cwd of [cwdOf('a'), cwdOf('b')]) assert.equal((await other.ask('POST', '/session', {cwd})).status, 200)
    const agents = readdirSync('/proc').filter((name) => procStat(Number(name))?.[1] === String(other.pid))
    assert.equal(agents.length, 2)
    other.signal('SIGKILL')
    await other.exited
    await until(() => !agents.some((pid) => isRunning(Number(pid))), 'the agents end')
  })

  it('D15, D12: the last client that detaches takes an idle session along, a busy one after its turn', async () => {
    const made = await client.ask('POST', '/session', {cwd: cwdOf('a')})
    const {sessionId: session, clientId} = made.body
    const second = (await client.ask('POST', '/session', {cwd: cwdOf('a')})).body
    assert.deepEqual([second['sessionId'], second['attached'], second['hasActivePrompt']], [session, true, false])
    const detach = (id: string) => client.ask('POST', `/session/${session}/detach`, undefined, {'x-qwen-client-id': id})
    assert.equal((await detach('client_unknown')).status, 204)
    assert.equal((await detach(second['clientId'])).status, 204)
    assert.equal((await status(session))['clientCount'], 1)
    const reader = await client.read(session)
    await client.prompt(session, '[[slow:60000]]')
    assert.equal((await detach(clientId)).status, 204)
    assert.equal((await status(session))['hasActivePrompt'], true)
    await client.ask('POST', `/session/${session}/cancel`)
    await reader.done
    assert.deepEqual(typesOf(reader), ['prompt_cancelled', 'turn_complete cancelled', 'session_closed'])
    assert.equal((await client.ask('GET', `/session/${session}/status`)).status, 404)
  })
})
