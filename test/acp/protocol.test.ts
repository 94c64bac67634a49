import assert from 'node:assert/strict'
import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {endEditors, openEditor, rpcErrorOf} from '../support/acp.js'
import {launcher} from '../support/jp.js'
import {withinMs} from '../support/pace.js'
import {createScratch, type Scratch} from '../support/scratch.js'

type Message = {
  readonly jsonrpc: string
  readonly id?: number | null
  readonly result?: unknown
  readonly error?: {readonly code: number; readonly message: string}
}

const initialize = {jsonrpc: '2.0', id: 0, method: 'initialize', params: {protocolVersion: 1}}

/**
 * Says raw bytes to an agent; when they have been answered by so many messages, it says the `last` ones and ends. Every
 * line of the agent's stdout must be a message of JSON-RPC.
 */
const speak = async (
  scratch: Scratch,
  said: {readonly parts: readonly (string | Buffer)[]; readonly answers: number; readonly last?: string},
): Promise<{messages: Message[]; code: number | null}> => {
  const child = spawn(process.execPath, [launcher, 'acp'], {cwd: scratch.path, env: scratch.env, stdio: 'pipe'})
  const out: string[] = []
  const answered = new Promise<void>((resolve) => {
    const stdout = createInterface({input: child.stdout}).on('close', resolve)
    stdout.on('line', (line) => out.push(line) === said.answers && resolve())
  })
  const ended: Promise<[code: number | null]> = once(child, 'close') as Promise<[number | null]>
  for (const part of said.parts) {
    child.stdin.write(part)
    await new Promise(setImmediate)
  }
  await answered
  child.stdin.end(said.last ?? '')
  const [code] = await ended
  const messages = out.map((line): Message => JSON.parse(line))
  for (const message of messages) assert.equal(message.jsonrpc, '2.0')
  return {messages, code}
}

const lines = (...messages: readonly unknown[]): string =>
  messages.map((message) => `${typeof message === 'string' ? message : JSON.stringify(message)}\n`).join('')

describe('jp acp: the protocol', () => {
  let scratch: Scratch
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
  })
  afterEach(() => {
    endEditors()
    scratch.remove()
  })

  it('FR-52: what is no message is answered with the error of the protocol, and harms nothing else', async () => {
    const {messages, code} = await speak(scratch, {
      answers: 7,
      parts: [
        lines('Hello?', '', '[1, 2]', '7', {id: 1, method: 'x'}),
        Buffer.from([0xff, 0xfe, 0x0a]),
        lines(initialize, {jsonrpc: '2.0', id: 9, method: 'no/such'}, {jsonrpc: '2.0', method: 'no/such'}),
      ],
    })
    assert.equal(code, 0)
    assert.deepEqual(
      messages.map(({id, error}) => [id, error?.code]),
      [
        [null, -32700],
        [null, -32700],
        [null, -32600],
        [null, -32600],
        [null, -32600],
        [0, undefined],
        [9, -32601],
      ],
    )
  })

  it('FR-52: a wrong order, wrong parameters and a partial last line get their errors', async () => {
    const said = lines(
      {jsonrpc: '2.0', id: 1, method: 'session/new', params: {cwd: root, mcpServers: []}},
      initialize,
      {jsonrpc: '2.0', id: 2, method: 'session/new', params: {cwd: 7}},
      {jsonrpc: '2.0', id: 3, method: 'session/prompt', params: {sessionId: 'none', prompt: []}},
    )
    const {messages} = await speak(scratch, {parts: [said], answers: 4, last: '{"jsonrpc":"2.0","id":4,"meth'})
    const byId = new Map(messages.map((message) => [message.id, message]))
    assert.equal(byId.get(1)?.error?.code, -32600)
    assert.equal(byId.get(2)?.error?.code, -32602)
    assert.equal(byId.get(3)?.error?.code, -32002)
    assert.equal(byId.get(null)?.error?.code, -32700)
    assert.equal(messages.length, 5)
  })

  it('FR-52: a line that is too long is refused, and the next one is read', async () => {
    const huge = `{"jsonrpc":"2.0","id":1,"method":"x","params":"${'x'.repeat(33 * 1024 * 1024)}"}\n`
    const {messages} = await speak(scratch, {parts: [huge, lines(initialize)], answers: 2})
    assert.deepEqual(
      messages.map(({id, error}) => [id, error?.code]),
      [
        [null, -32600],
        [0, undefined],
      ],
    )
  })

  it('Q27: messages that are split at every byte are read alike', async () => {
    const text = Buffer.from(
      lines(initialize, {
        jsonrpc: '2.0',
        id: 1,
        method: 'session/load',
        params: {sessionId: 'ünïcode', cwd: root, mcpServers: []},
      }),
    )
    const {messages} = await speak(scratch, {parts: [...text].map((byte) => Buffer.of(byte)), answers: 2})
    assert.deepEqual(
      messages.map(({id, error}) => [id, error?.code]),
      [
        [0, undefined],
        [1, -32002],
      ],
    )
    assert.match(messages[1]?.error?.message ?? '', /ünïcode/)
  })

  it('FR-52, D28: stdout carries protocol only, with -vvv, through errors, to the end by EOF and by signal', async () => {
    const loud = ['-vvv', '--log-file', '-']
    for (const end of ['EOF', 'SIGTERM', 'SIGINT'] as const) {
      const editor = await openEditor(scratch, {args: loud, env: {NODE_OPTIONS: '--trace-warnings', FORCE_COLOR: '1'}})
      await rpcErrorOf(editor.newSession(scratch.path))
      const id = await editor.newSession(root)
      await editor.prompt(id, 'Hi.')
      const closed = end === 'EOF' ? editor.close() : signalled(editor.child, end)
      const {code, ms} = await closed
      assert.ok(ms < withinMs(1000), `${end}: ${ms} ms`)
      assert.equal(code, end === 'EOF' ? 0 : 130)
      assert.match(editor.stderr(), /"target":"acp"/)
      for (const line of editor.lines()) assert.equal((JSON.parse(line) as Message).jsonrpc, '2.0', line)
    }
  })

  it('D28: without a reader the agent ends, too', async () => {
    const editor = await openEditor(scratch)
    const id = await editor.newSession(root)
    editor.child.stdout.destroy()
    const exit = once(editor.child, 'exit')
    void editor.prompt(id, 'Hi.').catch(() => undefined)
    assert.deepEqual(await exit, [0, null])
  })
})

const signalled = async (
  child: ChildProcessWithoutNullStreams,
  signal: 'SIGTERM' | 'SIGINT',
): Promise<{code: number | NodeJS.Signals; ms: number}> => {
  const start = performance.now()
  const exit = once(child, 'close')
  child.kill(signal)
  const [code, by] = await exit
  return {code: by ?? code, ms: performance.now() - start}
}
