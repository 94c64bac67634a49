import assert from 'node:assert/strict'
import type {ConversationId, WorkspaceId} from '../../../../src/platform/id-grammar.js'
import {createDelegatedTurns, type ReadyTurn} from '../../../../src/plugin/host/delegated-turns.js'
import type {OpenWorkspace} from '../../../../src/plugin/host/open-workspace.js'
import type {Outbox, Outgoing} from '../../../../src/plugin/host/outbox.js'

const conversation = 'jp-c17567136000' as ConversationId
const workspaceAt = (root: string): OpenWorkspace =>
  // Only its checkout is looked at: what it is to a turn is the business of the one who makes the turn ready.
  ({checkout: {id: 'abcde' as WorkspaceId, root}}) as OpenWorkspace
const one = workspaceAt('/one')
const query = {type: 'query', id: 'q', conversation, content: 'x'} as const

/** A turn that the test ends, and whose interrupts the test takes. */
const createTurn = () => {
  const end = Promise.withResolvers<{readonly data?: unknown}>()
  const taken: ((isTaken: boolean) => void)[] = []
  const stops: string[] = []
  const turn: ReadyTurn = {
    conversation,
    isNew: false,
    run: () => end.promise,
    stop: () => stops.push('stop'),
    interrupt: () => new Promise((resolve) => taken.push(resolve)),
  }
  return {turn, taken, stops, end: () => end.resolve({})}
}

/** Turns that are made ready when the test says so, and what is sent of them. */
const create = (ready: () => Promise<ReadyTurn>) => {
  const sent: Outgoing[] = []
  const outbox: Outbox = {send: (message) => sent.push(message), hasRoom: () => Promise.resolve(true), close: () => {}}
  return {turns: createDelegatedTurns(ready, outbox), sent}
}

describe('delegated turns', () => {
  it('P18: eight interrupts wait for a turn, and not one more; each is answered when it is taken, or was too late', async () => {
    const {turn, taken, end} = createTurn()
    const {turns, sent} = create(() => Promise.resolve(turn))
    await turns.start(one, query)
    const interrupt = (id: string | undefined) =>
      turns.interrupt(one, {type: 'interrupt', id, conversation, action: 'reply', content: 'and this'})
    for (const id of ['0', '1', '2', '3', '4', '5', '6', undefined]) await interrupt(id)
    await assert.rejects(interrupt('8'), {
      code: 'request_invalid',
      message: '8 interrupts wait for the turn of jp-c17567136000 already.',
    })
    taken[0]?.(true)
    for (const take of taken.slice(1)) take(false)
    end()
    await turns.settled()
    assert.deepEqual(
      sent.map((message) => [message.type, 'id' in message ? message.id : undefined]),
      [['done', '0'], ...['1', '2', '3', '4', '5', '6'].map((id) => ['error', id]), ['query_complete', 'q']],
    )
    await assert.rejects(interrupt('9'), {code: 'turn_not_running'})
  })

  it('S31: an interrupt reaches the turn of its checkout, and no other one of that conversation', async () => {
    const {turn, taken, end} = createTurn()
    const {turns} = create(() => Promise.resolve(turn))
    await turns.start(one, query)
    const stop = {type: 'interrupt', conversation, action: 'stop'} as const
    await assert.rejects(turns.interrupt(workspaceAt('/two'), stop), {code: 'turn_not_running'})
    await turns.interrupt(one, stop)
    assert.equal(taken.length, 1)
    end()
    await turns.settled()
  })

  it('S34, P20: a stop reaches a turn that is only being made ready, and no other is started', async () => {
    const {turn, stops, end} = createTurn()
    const readying = Promise.withResolvers<ReadyTurn>()
    const {turns, sent} = create(() => readying.promise)
    const starting = turns.start(one, query)
    turns.stopAll()
    readying.resolve(turn)
    await starting
    assert.deepEqual(stops, ['stop'])
    await assert.rejects(turns.start(one, query), {code: 'interrupted'})
    end()
    await turns.settled()
    assert.deepEqual(
      sent.map(({type}) => type),
      ['query_complete'],
    )
  })
})
