import assert from 'node:assert/strict'
import type {AgentExit, AgentLink} from '../../../src/daemon/agent/agent-link.js'
import {type AgentHolderDeps, createAgentHolder} from '../../../src/daemon/agent-holder.js'
import {JpError} from '../../../src/errors/jp-error.js'

/** Children that end when the test says so. */
const createScene = (more: Partial<AgentHolderDeps> = {}) => {
  const started: AgentLink[] = []
  const ended: number[] = []
  const asked = new Map<number, () => void>()
  const gone = new Map<number, (exit: AgentExit) => void>()
  const start = (): Promise<AgentLink> => {
    const pid = started.length + 1
    const exited = new Promise<AgentExit>((resolve) => gone.set(pid, resolve))
    const end = (): Promise<void> => {
      asked.get(pid)?.()
      return exited.then(() => undefined)
    }
    const agent = {pid, exited, end} as AgentLink
    started.push(agent)
    return Promise.resolve(agent)
  }
  const holder = createAgentHolder({start, idleMs: 1, onExit: ({pid}) => void ended.push(pid), ...more})
  return {
    holder,
    ended,
    /** Settles when this child is told to end. */
    told: (pid: number) => new Promise<void>((resolve) => asked.set(pid, resolve)),
    die: (pid: number) => gone.get(pid)?.({exitCode: 0, signalCode: null}),
  }
}

describe('agent holder', () => {
  it('D10: whoever needs an agent while an idle one goes gets another, and a stop waits for both', async () => {
    const {holder, told, die, ended} = createScene()
    const first = await holder.get()
    const idle = told(1)
    holder.rest()
    await idle
    assert.equal(holder.isRunning(first), false)
    assert.equal((await holder.get()).pid, 2)
    let stopped = false
    const stop = holder.stop().then(() => {
      stopped = true
    })
    die(2)
    await Promise.resolve()
    assert.equal(stopped, false)
    die(1)
    await stop
    assert.deepEqual(ended, [2, 1])
  })

  it('D10: an agent that is in use is not idle', async () => {
    const {holder} = createScene()
    const done = holder.use()
    const agent = await holder.get()
    holder.rest()
    await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal(holder.isRunning(agent), true)
    done()
  })

  it('D5: a stop does not wait for an agent that hangs in its start, and none starts afterwards', async () => {
    const {holder} = createScene({
      start: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    const waiting = holder.get()
    waiting.catch(() => undefined)
    await holder.stop()
    await assert.rejects(waiting, {code: 'agent_exited'})
    await assert.rejects(holder.get(), {code: 'agent_exited'})
  })

  it('D10: a start that fails is no obstacle for the next one', async () => {
    let tries = 0
    const {holder} = createScene({
      start: () => {
        tries += 1
        return Promise.reject(new JpError('agent_exited', 'gone'))
      },
    })
    await assert.rejects(holder.get(), {code: 'agent_exited'})
    await assert.rejects(holder.get(), {code: 'agent_exited'})
    assert.equal(tries, 2)
  })
})
