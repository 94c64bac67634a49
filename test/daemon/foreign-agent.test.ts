import assert from 'node:assert/strict'
import {join} from 'node:path'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import {type Answer, exampleAgent} from '../support/daemon.js'
import {createDaemonClient, type DaemonTestClient} from '../support/daemon-client.js'
import {send} from '../support/http.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {servingToken, startServing, trust} from '../support/serving.js'

describe('jp serve: sessions of an agent that is not jp’s', () => {
  let scratch: Scratch
  let daemon: RunningDaemon
  let client: DaemonTestClient
  beforeEach(async () => {
    scratch = createScratch()
    for (const [name, id] of [
      ['a', 'aaaaa'],
      ['b', 'bbbbb'],
    ] as const) {
      scratch.checkout(name, id)
    }
    trust(scratch, scratch.path)
    daemon = await startServing(scratch, {workspaces: ['a', 'b']})
    client = createDaemonClient(daemon)
  })
  afterEach(async () => {
    await daemon.stop()
    scratch.remove()
  })

  const storedSession = async (text: string): Promise<string> => {
    const session = await client.create(join(scratch.path, 'a'))
    await client.turn(session, text)
    await client.ask('DELETE', `/session/${session}`)
    return session
  }
  const listed = async (query: string): Promise<string[]> => {
    const {workspaceId} = daemon.registry.primary
    const {body} = await client.ask('GET', `/workspace/${workspaceId}/sessions?${query}`)
    return body['sessions'].map(({sessionId}: {sessionId: string}) => sessionId)
  }
  const bulk = (action: string, ...sessionIds: readonly string[]): Promise<Answer> =>
    client.ask('POST', `/sessions/${action}`, {sessionIds})

  it('FR-44, D19, D22: they are archived, brought back, pinned and removed in the index that the daemon keeps', async () => {
    const [one, two] = [await storedSession('one'), await storedSession('two')]
    assert.deepEqual((await bulk('archive', one)).body['archived'], [one])
    assert.deepEqual((await bulk('archive', one)).body['alreadyArchived'], [one])
    assert.deepEqual([await listed(''), await listed('archiveState=archived')], [[two], [one]])
    assert.equal((await client.ask('POST', `/session/${one}/load`)).body['code'], 'conversation_archived')
    const taken = await client.ask('POST', '/session', {cwd: join(scratch.path, 'b'), sessionId: one})
    assert.deepEqual([taken.status, taken.body['conflict']], [409, 'stored'])
    assert.deepEqual((await bulk('unarchive', one)).body['unarchived'], [one])
    assert.equal((await client.ask('POST', `/session/${one}/load`)).status, 200)

    const pin = await client.ask('PATCH', `/session/${two}/organization`, {isPinned: true})
    assert.deepEqual([pin.status, pin.body['isPinned']], [200, true])
    assert.deepEqual(await listed('view=organized&group=pinned'), [two])
    await client.ask('POST', `/session/${two}/load`)
    await client.turn(two, 'more')
    assert.deepEqual(await listed('view=organized&group=pinned'), [two], 'a prompt changes nothing of it')
    await client.ask('PATCH', `/session/${two}/organization`, {isPinned: false})
    assert.deepEqual(await listed('view=organized&group=pinned'), [])

    await client.ask('DELETE', `/session/${two}`)
    assert.deepEqual((await bulk('delete', two)).body['removed'], [two])
    assert.deepEqual(await listed(''), [one])
  })

  it('D22: one is exported while it is live and the daemon holds all of it; else the answer says how to get there', async () => {
    const session = await storedSession('what is this')
    const exported = async (format: string) => {
      const path = `/session/${session}/export?format=${format}`
      const host = `127.0.0.1:${daemon.port}`
      return send({port: daemon.port, method: 'GET', path, headers: {host, authorization: `Bearer ${servingToken}`}})
    }
    const unknown = await client.ask('GET', `/session/${session}/export`)
    assert.deepEqual([unknown.status, unknown.body['code']], [501, 'not_supported'])
    assert.match(unknown.body['hint'], /load brings it back/)
    await client.ask('POST', `/session/${session}/resume`)
    assert.equal((await exported('md')).status, 501, 'a session that was resumed has not told its history')
    await client.ask('DELETE', `/session/${session}`)
    await client.ask('POST', `/session/${session}/load`)
    const {status, text} = await exported('md')
    assert.equal(status, 200)
    assert.match(text, /^# what is this\n\n## You \(.*\)\n\nwhat is this\n\n## Assistant \(.*\)\n\nok: what is this\n$/)
    assert.deepEqual(
      (await exported('jsonl')).text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).sessionUpdate)
        .filter((name) => name.endsWith('_chunk')),
      ['user_message_chunk', 'agent_message_chunk'],
    )
  })

  it('D15, D19, D22: an agent that can copy a session makes branches and forks of it; they count, and are listed', async () => {
    await daemon.stop()
    const agent = exampleAgent('--store', join(scratch.path, 'store'), '--fork')
    daemon = await startServing(scratch, {workspaces: ['a', 'b'], flags: {agent, 'max-sessions': '3'}})
    client = createDaemonClient(daemon)
    const session = await client.create(join(scratch.path, 'a'))
    await client.turn(session, 'what is this')
    const branch = await client.ask('POST', `/session/${session}/branch`, {name: 'another way'})
    const {sessionId: copy, forkedFrom} = branch.body
    assert.deepEqual([branch.status, forkedFrom], [200, {sessionId: session, displayName: 'what is this'}])
    assert.equal(await client.turn(copy, 'go on'), 'end_turn')
    const fork = await client.ask('POST', `/session/${session}/fork`, {directive: 'now this'})
    const third: string = fork.body['sessionId']
    const full = await client.ask('POST', `/session/${session}/branch`, {})
    assert.deepEqual([full.status, full.body['code']], [503, 'session_limit_exceeded'])
    assert.deepEqual(new Set(await listed('')), new Set([session, copy, third]))
    const part = await client.ask('POST', `/session/${session}/branch`, {atRecordId: 'turn-0'})
    assert.deepEqual([part.status, part.body['code']], [501, 'not_supported'])
    await client.ask('DELETE', `/session/${copy}`)
    const texts = JSON.stringify((await client.ask('POST', `/session/${copy}/load`)).body['compactedReplay'])
    assert.deepEqual(
      ['ok: what is this', 'ok: go on', 'now this'].map((text) => texts.includes(text)),
      [true, true, false],
    )
  })

  it('D22: what an agent can not copy is not copied, and nothing is taken back: 501, and nothing has changed', async () => {
    const session = await client.create(join(scratch.path, 'a'))
    await client.turn(session, 'hi')
    for (const [method, path, body] of [
      ['POST', 'branch', {}],
      ['POST', 'fork', {directive: 'go on'}],
      ['POST', 'rewind', {promptId: 'turn-0'}],
      ['GET', 'rewind/snapshots', undefined],
    ] as const) {
      const answer = await client.ask(method, `/session/${session}/${path}`, body)
      assert.deepEqual([answer.status, answer.body['code']], [501, 'not_supported'], path)
    }
    const {body} = await client.ask('GET', '/daemon/status')
    assert.deepEqual(body['runtime'].sessions, {active: 1, admissionInFlight: 0, taken: 1})
  })
})
