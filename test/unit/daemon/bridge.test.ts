import assert from 'node:assert/strict'
import {randomUUID} from 'node:crypto'
import {parseSessionId, type SessionId} from '../../../src/conversation/session-id.js'
import type {AgentExit, AgentLink} from '../../../src/daemon/agent/agent-link.js'
import {createBridge} from '../../../src/daemon/create-bridge.js'
import type {StoredSession} from '../../../src/daemon/stored-sessions.js'
import {createTestClock} from '../../support/conversations.js'
import {until} from '../../support/processes.js'

const id = parseSessionId('11111111-0000-4000-8000-000000000000') as SessionId

/** What an agent is asked, in order, and its answers, when the test gives them. */
const createScene = () => {
  const asked: string[] = []
  const answers = new Map<string, (value: unknown) => void>()
  const ask = (what: string): Promise<unknown> => {
    asked.push(what)
    return new Promise((resolve) => answers.set(what, resolve))
  }
  let die: (exit: AgentExit) => void = () => undefined
  const exited = new Promise<AgentExit>((resolve) => {
    die = resolve
  })
  const agent = {
    pid: 1,
    capabilities: {load: true, resume: true, close: true, fork: false},
    exited,
    newSession: () => ask('new').then(() => ({sessionId: id})),
    loadSession: () => ask('load').then(() => ({})),
    closeSession: () => ask('close').then(() => undefined),
    cancel: () => undefined,
    end: () => Promise.resolve(),
  } as unknown as AgentLink
  const owned: string[] = []
  const bridge = createBridge({
    startAgent: () => Promise.resolve(agent),
    lifecycle: {registered: (one) => void owned.push(`+${one}`), removed: (one) => void owned.push(`-${one}`)},
    clock: createTestClock(0),
    limits: {
      maxPendingPrompts: 5,
      maxReaders: 1,
      ring: {maxFrames: 10, maxUnits: 1000},
      heartbeatMs: 60_000,
      cancelGraceMs: 60_000,
      answerMs: 60_000,
    },
    idleAgentMs: 60_000,
    newId: randomUUID,
    isTaken: () => false,
    tellable: () => ({message: 'it failed'}),
    onPrompt: () => undefined,
  })
  let taken = 0
  const slot = () => {
    taken += 1
    let isHeld = true
    return {
      release() {
        taken -= isHeld ? 1 : 0
        isHeld = false
      },
    }
  }
  /** Lets the agent answer what it was asked last. */
  const answer = async (what: string): Promise<void> => {
    await until(() => asked.at(-1) === what && answers.has(what), what)
    answers.get(what)?.(undefined)
    answers.delete(what)
  }
  return {bridge, asked, answer, owned, slot, die, taken: () => taken}
}

const closed = {type: 'session_closed', reason: 'client_close'} as const
const gone = {exitCode: null, signalCode: 'SIGKILL'} as const
const stored: StoredSession = {
  id,
  agentSessionId: id,
  title: undefined,
  createdAtMs: 0,
  updatedAtMs: 0,
  isArchived: false,
}

describe('bridge', () => {
  it('D13, FR-44: an id that is on its way out is made, or brought back, when it is gone', async () => {
    for (const [again, what] of [
      ['create', 'new'],
      ['restore', 'load'],
    ] as const) {
      const {bridge, asked, answer, slot} = createScene()
      const first = bridge.create({sessionId: id, slot: slot()})
      await answer('new')
      await first
      const end = bridge.close(id, closed)
      const second =
        again === 'create' ? bridge.create({sessionId: id, slot: slot()}) : bridge.restore('load', stored, slot())
      await answer('close')
      await end
      await answer(what)
      assert.equal((await second).id, id)
      assert.deepEqual(asked, ['new', 'close', what])
      await bridge.close(id, {type: 'session_died', reason: 'daemon_shutdown'})
    }
  })

  it('D10, D15: a child that dies while it makes a session leaves neither a session nor a place behind', async () => {
    const {bridge, answer, owned, slot, die, taken} = createScene()
    const made = bridge.create({sessionId: id, slot: slot()})
    const failed = assert.rejects(made, {code: 'agent_exited'})
    die(gone)
    await answer('new')
    await failed
    assert.deepEqual([bridge.sessions, bridge.agentPid, owned, taken()], [[], undefined, [], 0])
  })

  it('D10, D14: a child that dies ends its sessions, once, and gives their places back', async () => {
    const {bridge, answer, owned, slot, die, taken} = createScene()
    const made = bridge.create({sessionId: id, slot: slot()})
    await answer('new')
    const session = await made
    die(gone)
    await until(() => taken() === 0, 'the place is given back')
    assert.deepEqual([bridge.sessions, bridge.agentPid, owned], [[], undefined, [`+${id}`, `-${id}`]])
    assert.deepEqual(
      session.events().map(({type}) => type),
      ['session_died'],
    )
  })
})
