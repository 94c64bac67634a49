import assert from 'node:assert/strict'
import {join} from 'node:path'
import {createOwnSessions} from '../../../src/daemon/own-sessions.js'
import type {WorkspaceId} from '../../../src/platform/id-grammar.js'
import {openTestStore, writeConversation} from '../../support/conversations.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

/** While it runs, time moves only by being looked at: a millisecond a look. So slices end, however fast the machine is. */
const withCountedTime = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  let nowMs = performance.now()
  Object.defineProperty(performance, 'now', {value: () => ++nowMs, configurable: true})
  try {
    return await work()
  } finally {
    Reflect.deleteProperty(performance, 'now')
  }
}

describe('stored sessions of jp’s own agent', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  it('D19: a large store is listed, and searched, while the daemon goes on with other sessions', async () => {
    const root = scratch.checkout('app', 'abcde')
    const silo = scratch.folder('silo')
    const count = 100
    for (let at = 0; at < count; at++) writeConversation(join(silo, 'conversations'), String(17000000000 + at))
    const sessions = createOwnSessions({
      checkout: {id: 'abcde' as WorkspaceId, root},
      openStore: () => openTestStore({root, silo}),
      ownsUnrecorded: true,
    })
    let turns = 0
    let isDone = false
    const others = (): void => {
      turns += 1
      if (!isDone) setImmediate(others)
    }
    setImmediate(others)
    const stored = await withCountedTime(() => sessions.list(false))
    isDone = true
    assert.ok(turns >= 10, `others had their turn ${turns} times`)
    assert.equal(new Set(stored.map(({id}) => id)).size, count)
    const last = stored.at(-1)
    assert.ok(last !== undefined)
    assert.deepEqual(await sessions.find(last.id), last)
  })
})
