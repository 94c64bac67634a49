import assert from 'node:assert/strict'
import {setImmediate} from 'node:timers/promises'
import {createRpcPeer} from '../../../../src/daemon/agent/rpc-peer.js'
import {JpError} from '../../../../src/errors/jp-error.js'
import {createLineFramer} from '../../../../src/platform/json-lines.js'

const createScene = () => {
  const sent: Record<string, unknown>[] = []
  const heard: string[] = []
  const peer = createRpcPeer(
    {
      request: async (method, params) => {
        if (method === 'fails') throw new JpError('internal', 'a secret')
        if (method === 'unknown') throw new JpError('not_supported', 'no')
        return {method, params}
      },
      notification: (method, params) => void heard.push(`${method} ${JSON.stringify(params)}`),
      strayLine: (about) => void heard.push(`stray: ${about}`),
    },
    (line) => {
      assert.ok(line.endsWith('\n'))
      sent.push(JSON.parse(line))
    },
  )
  return {peer, sent, heard}
}

describe('JSON-RPC peer', () => {
  it('D29: an answer never overtakes the notifications that were written before it', async () => {
    const {peer, heard} = createScene()
    const answer = peer.request('session/prompt', {}).then(() => heard.push('answer'))
    for (let at = 0; at < 3; at++) peer.receive(JSON.stringify({jsonrpc: '2.0', method: 'update', params: at}))
    peer.receive('{"jsonrpc":"2.0","id":1,"result":{}}')
    peer.receive('{"jsonrpc":"2.0","method":"update","params":"after"}')
    await answer
    assert.deepEqual(heard, ['update 0', 'update 1', 'update 2', 'update "after"', 'answer'])
  })

  it('Q27: a message split at any byte boundary is the same message', async () => {
    const bytes = Buffer.from(
      '{"jsonrpc":"2.0","method":"u","params":"—é漢🟢"}\n{"jsonrpc":"2.0","id":1,"result":"漢"}\n',
    )
    for (let cut = 0; cut <= bytes.length; cut++) {
      const {peer, heard} = createScene()
      const answer = peer.request('x', {})
      const framer = createLineFramer({
        line: (text) => peer.receive(text),
        tooLong: () => assert.fail(),
        notUtf8: () => assert.fail(),
      })
      framer.push(bytes.subarray(0, cut))
      framer.push(bytes.subarray(cut))
      assert.equal(await answer, '漢')
      assert.deepEqual(heard, ['u "—é漢🟢"'])
    }
  })

  it('D10: a line that is no message is answered as the protocol says and told in brief; the rest goes on', () => {
    const {peer, sent, heard} = createScene()
    for (const line of ['Starting\u001b[31m…', '[1]', 'null', '"x"', 'x'.repeat(500)]) peer.receive(line)
    peer.receive('')
    peer.receive('{"jsonrpc":"2.0","id":77,"result":{}}')
    peer.receive('{"jsonrpc":"2.0","method":"u","params":1}')
    assert.equal(sent.length, 5)
    assert.ok(sent.every(({id, error}) => id === null && (error as {code: number}).code === -32700))
    assert.equal(heard[0], 'stray: Starting…')
    assert.equal(heard[4]?.length, 'stray: '.length + 81)
    assert.deepEqual(heard.slice(5), ['stray: an answer to no question: 77', 'u 1'])
  })

  it('D26: what the agent asks is answered by its id; failures say no more than the protocol', async () => {
    const {peer, sent} = createScene()
    peer.receive('{"jsonrpc":"2.0","id":"a","method":"asks","params":{"x":1}}')
    peer.receive('{"jsonrpc":"2.0","id":"b","method":"fails"}')
    peer.receive('{"jsonrpc":"2.0","id":"c","method":"unknown"}')
    await setImmediate()
    assert.deepEqual(sent, [
      {jsonrpc: '2.0', id: 'a', result: {method: 'asks', params: {x: 1}}},
      {jsonrpc: '2.0', id: 'b', error: {code: -32603, message: 'Internal error'}},
      {jsonrpc: '2.0', id: 'c', error: {code: -32601, message: 'Method not found'}},
    ])
  })

  it('D32: an error of the agent keeps its code, its record and its words', async () => {
    const {peer} = createScene()
    const answer = peer.request('session/prompt', {})
    const data = {code: 'last_root_mismatch', message: 'It ran elsewhere.', hint: 'Go there.', last_root: {path: '/x'}}
    peer.receive(
      JSON.stringify({jsonrpc: '2.0', id: 1, error: {code: -32603, message: 'It ran elsewhere.\nGo there.', data}}),
    )
    await assert.rejects(answer, {
      code: 'agent_failed',
      message: 'It ran elsewhere.',
      hint: 'Go there.',
      details: {rpcCode: -32603, agentCode: 'last_root_mismatch', last_root: {path: '/x'}},
    })
  })

  it('D10: when the agent is gone, nobody waits for it any longer', async () => {
    const {peer, sent} = createScene()
    const answer = peer.request('x', {})
    peer.fail(new JpError('agent_exited', 'gone'))
    await assert.rejects(answer, {code: 'agent_exited'})
    await assert.rejects(peer.request('y', {}), {code: 'agent_exited'})
    peer.notify('z', {})
    assert.equal(sent.length, 1)
  })
})
