import assert from 'node:assert/strict'
import {setImmediate} from 'node:timers/promises'
import {agentRequests} from '../../../../src/daemon/agent/agent-requests.js'
import * as shapes from '../../../../src/protocol/agent-replies.js'

/** An agent that answers when the test says so. */
const createScene = ({close = true} = {}) => {
  const asked: string[] = []
  const answers: ((value: unknown) => void)[] = []
  const peer = {
    receive: () => undefined,
    notify: () => undefined,
    fail: () => undefined,
    request: (method: string, params: unknown) => {
      asked.push(`${method} ${JSON.stringify(params)}`)
      return new Promise<unknown>((resolve) => answers.push(resolve))
    },
  }
  const capabilities = {load: true, resume: true, fork: true, close}
  const agent = agentRequests(peer, {cwd: '/ws/a', answerMs: 1}, {...shapes, capabilities})
  return {agent, asked, answers}
}

describe('requests to an agent', () => {
  it('D10: an agent that does not answer in time holds nobody up', async () => {
    const {agent} = createScene()
    const late = {code: 'agent_failed', message: 'The agent did not answer in time.'}
    await assert.rejects(agent.newSession({sessionId: undefined}), late)
    await assert.rejects(agent.forkSession('one'), late)
    await assert.rejects(agent.loadSession('one'), late)
    await assert.rejects(agent.resumeSession('one'), late)
    await assert.rejects(agent.closeSession('one'), late)
    await assert.rejects(agent.setMode('one', 'ask'), late)
    await assert.rejects(agent.setOption('one', 'model', 'm'), late)
  })

  it('D10: a session that comes too late is closed again, where the agent can', async () => {
    const place = '{"cwd":"/ws/a","mcpServers":[]}'
    for (const [close, asked] of [
      [true, [`session/new ${place}`, 'session/close {"sessionId":"late"}']],
      [false, [`session/new ${place}`]],
    ] as const) {
      const scene = createScene({close})
      await assert.rejects(scene.agent.newSession({sessionId: undefined}), {code: 'agent_failed'})
      scene.answers[0]?.({sessionId: 'late'})
      await setImmediate()
      assert.deepEqual(scene.asked, asked)
    }
  })

  it('D29: a prompt takes as long as it takes', async () => {
    const {agent, answers} = createScene()
    const prompt = agent.prompt('one', [])
    await assert.rejects(agent.loadSession('one'), {code: 'agent_failed'})
    answers[0]?.({stopReason: 'end_turn'})
    assert.deepEqual(await prompt, {stopReason: 'end_turn', usage: undefined})
  })
})
