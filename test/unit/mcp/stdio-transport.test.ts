import assert from 'node:assert/strict'
import {PassThrough} from 'node:stream'
import {parseJSONRPCMessage} from '@modelcontextprotocol/client'
import {createStdioTransport} from '../../../src/mcp/stdio-transport.js'
import type {Child} from '../../../src/platform/child-process.js'

/** A transport over a child that is only pipes. */
const connect = () => {
  const stdout = new PassThrough()
  const stdin = new PassThrough()
  const exit = Promise.withResolvers<{code: number}>()
  const calls: string[] = []
  const child: Child = {
    pid: 0,
    stdin,
    stdout,
    stderr: new PassThrough(),
    exited: exit.promise,
    signal: () => undefined,
    endGroup: () => {
      calls.push('endGroup')
      return Promise.resolve()
    },
  }
  stdin.on('finish', () => exit.resolve({code: 0}))
  const messages: unknown[] = []
  const noise: [string, number][] = []
  const transport = createStdioTransport(child, parseJSONRPCMessage, {
    notMessage: (line, number) => noise.push([line, number]),
    ended: () => undefined,
  })
  transport.onmessage = (message) => messages.push(message)
  transport.onclose = () => calls.push('onclose')
  return {transport, stdout, stdin, messages, noise, calls, exit}
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('stdio transport', () => {
  const message = {jsonrpc: '2.0', method: 'notifications/message', params: {text: '—é漢🟢\u2028"\\n'}}
  const bytes = Buffer.from(`${JSON.stringify(message)}\r\n${JSON.stringify({...message, method: 'x'})}\n`)

  it('Q27, FR-32: messages split at every byte decode alike', async () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const {transport, stdout, messages} = connect()
      await transport.start()
      stdout.write(bytes.subarray(0, cut))
      await settled()
      stdout.write(bytes.subarray(cut))
      await settled()
      assert.deepEqual(messages, [message, {...message, method: 'x'}], `cut at ${cut}`)
    }
  })

  it('Q27, FR-32: messages written byte by byte decode alike', async () => {
    const {transport, stdout, messages} = connect()
    await transport.start()
    for (const byte of bytes) stdout.write(Buffer.of(byte))
    await settled()
    assert.deepEqual(messages, [message, {...message, method: 'x'}])
  })

  it('FR-33: a line that is no message is told with its number, and what follows is read', async () => {
    const {transport, stdout, messages, noise} = connect()
    await transport.start()
    stdout.write(Buffer.concat([Buffer.from('Starting…\n\nnull\n[]\n'), Buffer.of(0xff, 0x0a), bytes]))
    await settled()
    assert.deepEqual(noise, [
      ['Starting…', 1],
      ['null', 3],
      ['[]', 4],
      ['ÿ', 5],
    ])
    assert.equal(messages.length, 2)
  })

  it('W31: writes one line a message, whatever is in it', async () => {
    const {transport, stdin} = connect()
    await transport.start()
    await transport.send(parseJSONRPCMessage(message))
    assert.equal(String(stdin.read()), `${JSON.stringify(message)}\n`)
  })

  it('FR-29, Q29: closing closes stdin, ends the group once, and tells', async () => {
    const {transport, stdin, calls} = connect()
    await transport.start()
    await Promise.all([transport.close(), transport.close()])
    await settled()
    assert.ok(stdin.writableEnded)
    assert.deepEqual(calls, ['endGroup', 'onclose'])
  })

  it('FR-31: a server that exits closes the transport, its last words read', async () => {
    const {transport, stdout, messages, calls, exit} = connect()
    await transport.start()
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve
    })
    stdout.write(JSON.stringify(message))
    exit.resolve({code: 1})
    await closed
    assert.deepEqual(messages, [message])
    assert.deepEqual(calls, ['endGroup'])
  })
})
