import assert from 'node:assert/strict'
import {join} from 'node:path'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import {createDaemonClient, type DaemonTestClient} from '../support/daemon-client.js'
import {chunkOf, type EventReader} from '../support/event-reader.js'
import {until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {startServing, trust} from '../support/serving.js'

const soak = process.env['JP_SOAK'] === '1'

/** A random number generator with a seed that can be named. */
const createRandom = (): ((below: number) => number) => {
  let state = Number(process.env['JP_SEED'] ?? 20261130) >>> 0
  console.log(`      seed ${state}`)
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const ids = (reader: EventReader): number[] => reader.events.flatMap(({id}) => (id === undefined ? [] : [id]))
const isEnd = ({type}: {readonly type: string}): boolean => type === 'turn_complete'

describe('jp serve: events', () => {
  let scratch: Scratch
  let daemon: RunningDaemon
  let client: DaemonTestClient
  const start = async (flags: Readonly<Record<string, string>> = {}): Promise<void> => {
    daemon = await startServing(scratch, {workspaces: ['a', 'b'], flags})
    client = createDaemonClient(daemon)
  }
  const cwdOf = (name: string): string => join(scratch.path, name)
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

  it('D16, Q22: 2,000 chunks back to back reach 20 readers, every one, in order, without a reconnect', async () => {
    await start()
    const session = await client.create(cwdOf('b'))
    const readers = await Promise.all(Array.from({length: 20}, () => client.read(session)))
    await client.prompt(session, '[[chunks:2000]]')
    await Promise.all(readers.map((reader) => reader.until(isEnd)))
    const expected = Array.from({length: 2000}, (_, at) => `c${at} `).join('')
    for (const reader of readers) {
      assert.equal(reader.events.map(chunkOf).join(''), expected)
      assert.equal(reader.ended, false)
      assert.deepEqual(ids(reader), ids(readers[0] as EventReader))
      reader.cut()
    }
  })

  it('D16, FR-49: cut at random and resumed by id, every event comes once and the end is always seen', async () => {
    await start()
    const random = createRandom()
    const session = await client.create(cwdOf('a'))
    const whole = await client.read(session)
    const cuts = soak ? 200 : 20
    await client.prompt(session, `[[chunks:${cuts * 10}:1]]`)
    const seen: number[] = []
    let lastEventId = 0
    for (let cut = 0; cut < cuts; cut++) {
      const reader = await client.read(session, {lastEventId})
      const want = 1 + random(8)
      await until(() => ids(reader).length >= want || reader.events.some(isEnd), 'some events')
      reader.cut()
      await reader.done
      assert.equal(
        reader.events.some(({type}) => type === 'state_resync_required'),
        false,
      )
      // The client has worked on so many of them when the connection is cut; the rest of what had arrived is lost.
      seen.push(...ids(reader).slice(0, want))
      lastEventId = seen.at(-1) ?? 0
    }
    await whole.until(isEnd)
    const end = ids(whole).at(-1) ?? 0
    const last = await client.read(session, {lastEventId})
    if (lastEventId < end) await last.until(({id}) => id === end)
    seen.push(...ids(last))
    const firstOfWhole = ids(whole)[0] ?? 0
    assert.deepEqual(
      seen.filter((id) => id >= firstOfWhole),
      ids(whole),
    )
    assert.deepEqual(
      seen,
      Array.from({length: seen.length}, (_, at) => at + 1),
    )
    const late = await client.read(session, {lastEventId: end - 1})
    assert.equal((await late.until(({id}) => id !== undefined)).type, 'turn_complete')
    for (const reader of [whole, last, late]) reader.cut()
  })

  it('D16, FR-50: a place that the ring has left is a resync, then what there is, then live', async () => {
    await start({'event-ring-size': '10'})
    const session = await client.create(cwdOf('a'))
    await client.turn(session, '[[chunks:30]]')
    const behind = await client.read(session, {lastEventId: 2})
    await behind.until(({type}) => type === 'replay_complete')
    const [resync, ...rest] = behind.events
    assert.equal(resync?.type, 'state_resync_required')
    const first = ids(behind)[0] ?? 0
    assert.deepEqual(resync?.data, {reason: 'ring_evicted', lastDeliveredId: 2, earliestAvailableId: first})
    assert.equal(ids(behind).length, 10)
    assert.equal(rest.at(-1)?.data['replayedCount'], 10)
    const ahead = await client.read(session, {lastEventId: 99_999_999_999})
    await ahead.until(({type}) => type === 'replay_complete')
    assert.equal(ahead.events[0]?.data['reason'], 'epoch_reset')
    await client.turn(session, 'more')
    await Promise.all([behind, ahead].map((reader) => reader.until((event) => chunkOf(event) === 'ok: more')))
    for (const reader of [behind, ahead]) reader.cut()
  })

  it('D16: an epoch of another life is a resync; the right one is none', async () => {
    await start()
    const session = await client.create(cwdOf('a'))
    await client.turn(session, 'hi')
    const epoch = 'x-qwen-event-epoch'
    const wrong = await client.read(session, {lastEventId: 1, headers: {[epoch]: 'other'}})
    await wrong.until(({type}) => type === 'replay_complete')
    assert.deepEqual(
      [wrong.events[0]?.data['reason'], wrong.events[0]?.data['detail'], ids(wrong)[0]],
      ['epoch_reset', 'epoch_mismatch', 1],
    )
    const right = await client.read(session, {lastEventId: 1, headers: {[epoch]: String(wrong.headers[epoch])}})
    await right.until(({type}) => type === 'replay_complete')
    assert.equal(ids(right)[0], 2)
    for (const reader of [wrong, right]) reader.cut()
  })

  it('D16, FR-50: an id that is no number, and a queue out of bounds, are 400', async () => {
    await start()
    const session = await client.create(cwdOf('a'))
    for (const lastEventId of ['abc', '-1', '1.5', '0x1', '', '1e3', '9'.repeat(20)]) {
      const reader = await client.read(session, {lastEventId})
      assert.equal(reader.status, 400, lastEventId)
    }
    for (const query of ['?maxQueued=15', '?maxQueued=2049', '?maxQueued=x']) {
      assert.equal((await client.read(session, {query})).status, 400)
    }
    const {body} = await client.ask('GET', `/session/${session}/events`, undefined, {'last-event-id': 'abc'})
    assert.equal(body['code'], 'invalid_last_event_id')
  })

  it('D16, FR-51: readers that join and leave in mid-turn each get all from their start', async () => {
    await start()
    const session = await client.create(cwdOf('a'))
    const [first, leaver] = [await client.read(session), await client.read(session)]
    await client.prompt(session, '[[chunks:1000000:2]]')
    await first.until((event) => chunkOf(event) === 'c10 ')
    leaver.cut()
    const late = await client.read(session)
    await late.until((event) => chunkOf(event) !== '')
    await client.ask('POST', `/session/${session}/cancel`)
    await Promise.all([first, late].map((reader) => reader.until(isEnd)))
    const whole = ids(first)
    assert.deepEqual(
      whole,
      Array.from({length: whole.length}, (_, at) => (whole[0] ?? 0) + at),
    )
    assert.deepEqual(ids(late), whole.slice(whole.indexOf(ids(late)[0] ?? 0)))
    assert.deepEqual(ids(leaver), whole.slice(0, ids(leaver).length))
    const {body} = await client.ask('GET', '/daemon/status')
    assert.equal(body['runtime'].transport.restSseActive, 2)
    for (const reader of [first, late]) reader.cut()
  })

  it('D16: only a reader that has fallen behind the ring is dropped, and told so; the session goes on', async () => {
    await start({'event-ring-size': '3000'})
    const session = await client.create(cwdOf('a'))
    const [good, slow] = [await client.read(session), await client.read(session)]
    slow.pause()
    // More than a socket and its buffers hold.
    for (let turn = 0; turn < 12; turn++) await client.turn(session, `[[chunks:2000]]`)
    slow.resume()
    const told = await slow.until(({type}) => type === 'client_evicted')
    assert.equal(told.data['reason'], 'ring_overrun')
    await slow.done
    assert.equal(await client.turn(session, 'still here'), 'end_turn')
    await good.until((event) => chunkOf(event) === 'ok: still here')
    assert.equal(ids(good).length > 24_000, true)
    good.cut()
  })

  it('D16: there is a bound to readers, and a place is free again when one leaves', async () => {
    await start()
    const session = await client.create(cwdOf('a'))
    const readers = await Promise.all(Array.from({length: 64}, () => client.read(session)))
    const {status, body, headers} = await client.ask('GET', `/session/${session}/events`)
    assert.deepEqual([status, body['code'], body['limit']], [429, 'subscriber_limit_exceeded', 64])
    assert.equal(headers.get('retry-after'), '5')
    readers[0]?.cut()
    await readers[0]?.done
    await until(async () => {
      const again = await client.read(session)
      readers.push(again)
      return again.status === 200
    }, 'a place is free')
    for (const reader of readers) reader.cut()
  })

  it('D16, D18: a snapshot and what waits come first, in frames without an id', async () => {
    await start()
    const session = await client.create(cwdOf('a'))
    const early = await client.read(session)
    await client.prompt(session, '[[tool:shell x]]')
    const asked = await early.until(({type}) => type === 'permission_request')
    const late = await client.read(session, {query: '?snapshot=1'})
    const repeated = await late.until(({type}) => type === 'permission_request')
    assert.deepEqual([repeated.id, repeated.data], [undefined, asked.data])
    assert.deepEqual(
      late.events.map(({type}) => type),
      ['session_snapshot', 'permission_request'],
    )
    assert.equal(late.events[0]?.data['currentApprovalMode'], 'ask')
    const replayed = await client.read(session, {lastEventId: 0})
    await replayed.until(({type}) => type === 'replay_complete')
    const resumed = await client.read(session, {lastEventId: asked.id ?? 0})
    await resumed.until(({type}) => type === 'replay_complete')
    await client.ask('POST', `/session/${session}/cancel`)
    await Promise.all([early, late, replayed, resumed].map((reader) => reader.until(isEnd)))
    const count = (reader: EventReader): number =>
      reader.events.filter(({type}) => type === 'permission_request').length
    assert.deepEqual([early, late, replayed, resumed].map(count), [1, 1, 1, 0], 'never twice')
    for (const reader of [early, late, replayed, resumed]) reader.cut()
  })

  it('D16: the head and the frames are those of the contract', async () => {
    await start()
    const session = await client.create(cwdOf('a'))
    const reader = await client.read(session)
    assert.equal(reader.headers['content-type'], 'text/event-stream')
    assert.equal(reader.headers['cache-control'], 'no-cache, no-transform')
    assert.equal(reader.headers['x-accel-buffering'], 'no')
    assert.match(String(reader.headers['x-qwen-sse-stream-id']), /^[0-9a-f-]{36}$/)
    const {promptId} = await client.prompt(session, 'hi')
    await reader.until(isEnd)
    const told = reader.events.filter(({promptId: about}) => about === promptId)
    assert.deepEqual(
      told.map(({type, data}) => [type, data['update']?.sessionUpdate ?? data['stopReason']]),
      [
        ['session_update', 'user_message_chunk'],
        ['session_update', 'agent_message_chunk'],
        ['turn_complete', 'end_turn'],
      ],
    )
    for (const event of reader.events) {
      assert.equal((event as unknown as {v: number}).v, 1)
      assert.equal(event.data['sessionId'], session)
    }
    reader.cut()
  })
})
