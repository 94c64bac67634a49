import assert from 'node:assert/strict'
import {setTimeout as pause} from 'node:timers/promises'
import {parseSessionId} from '../../../src/conversation/session-id.js'
import {createSessionLog} from '../../../src/daemon/session-log.js'
import {createTestClock} from '../../support/conversations.js'
import {until} from '../../support/processes.js'

const createScene = (heartbeatMs: number, maxFrames = 100) => {
  const sessionId = parseSessionId('11111111-0000-4000-8000-000000000000')
  assert.ok(sessionId !== undefined)
  const bounds = {maxFrames, maxUnits: 1_000_000}
  const log = createSessionLog({sessionId, clock: createTestClock(0), epoch: 'e', bounds, maxReaders: 2, heartbeatMs})
  let text = ''
  const sink = {
    write: (part: string) => {
      text += part
      return true
    },
    onceWritable: () => undefined,
    end: () => {
      text += '[end]'
    },
  }
  return {log, sink, read: () => text}
}

const fromNow = {lastEventId: undefined, epoch: undefined, maxQueued: undefined}

describe('session log', () => {
  it('D16: an idle stream is kept open by comments, until the session ends', async () => {
    const {log, sink, read} = createScene(5)
    log.read(sink, fromNow, () => [])
    await until(() => read().includes(': heartbeat\n\n: heartbeat\n\n'), 'two heartbeats')
    log.end()
    const ended = read()
    assert.match(ended, /\[end\]$/)
    await pause(15)
    assert.equal(read(), ended)
  })

  it('D16: a burst that turns the ring over within one tick reaches a reader whose socket takes it', () => {
    const {log, sink, read} = createScene(60_000, 10)
    log.read(sink, fromNow, () => [])
    for (let at = 1; at <= 100; at++) log.emit('x', {at})
    log.end()
    assert.deepEqual(
      [...read().matchAll(/"at":(\d+)/g)].map(([, at]) => Number(at)),
      Array.from({length: 100}, (_, at) => at + 1),
    )
  })

  it('D16: a reader that goes makes room for another', () => {
    const {log, sink} = createScene(60_000)
    const stop = log.read(sink, fromNow, () => [])
    log.read(sink, fromNow, () => [])
    assert.throws(() => log.read(sink, fromNow, () => []), {code: 'subscriber_limit_exceeded'})
    stop()
    assert.equal(log.readers, 1)
    log.end()
  })
})
