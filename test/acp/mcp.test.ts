import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import type {McpServer} from '@agentclientprotocol/sdk'
import {type Editor, endEditors, openEditor, rpcErrorOf, textOf} from '../support/acp.js'
import {repository} from '../support/jp.js'
import {withinMs} from '../support/pace.js'
import {isRunning, until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const fixture = join(repository, 'test', 'fixtures', 'mcp', 'server.mjs')

describe('jp acp: MCP servers and questions', () => {
  let scratch: Scratch
  let root: string
  let http: Server | undefined
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    scratch.write('home/.config/jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
  })
  afterEach(() => {
    endEditors()
    http?.close()
    scratch.remove()
  })

  const script = (...steps: readonly object[]): Record<string, string> => ({
    JP_ECHO_SCRIPT: scratch.write('script.json', JSON.stringify(steps)),
  })
  const call = (name: string, args: object = {}): object => ({tool_call: {id: name, name, arguments: args}})
  const stdio = (...args: readonly string[]): McpServer => ({
    name: 'tiny',
    command: process.execPath,
    args: [fixture, ...args],
    env: [{name: 'SECRET_ONE', value: 'sesame'}],
  })
  const sessionWith = async (editor: Editor, ...mcpServers: readonly McpServer[]): Promise<string> =>
    (await editor.agent.request('session/new', {cwd: root, mcpServers: [...mcpServers]})).sessionId
  const resultOf = (editor: Editor, session: string, id: string): unknown =>
    editor
      .updates(session)
      .flatMap((update) => ('toolCallId' in update && update.toolCallId === id ? [update.rawOutput] : []))
      .at(-1)

  it('D27, W26: the tools of a server that the client passes are on, asked about, and run in the checkout', async () => {
    const env = join(scratch.path, 'env.json')
    const editor = await openEditor(scratch, {env: script(call('where'), call('say', {text: 'hi'}), {text: 'Done.'})})
    const id = await sessionWith(editor, stdio(`env=${env}`))
    assert.equal((await editor.prompt(id, 'Where?')).stopReason, 'end_turn')
    assert.deepEqual(resultOf(editor, id, 'where'), {outcome: 'success', content: root})
    assert.deepEqual(resultOf(editor, id, 'say'), {outcome: 'success', content: 'hi'})
    assert.equal(editor.permissions.length, 2)
    const given = JSON.parse(readFileSync(env, 'utf8')) as Record<string, string>
    assert.equal(given['SECRET_ONE'], 'sesame')
    assert.equal(given['JP_ECHO_SCRIPT'], undefined)
    assert.equal(textOf(editor.updates(id)), 'Done.')
    await editor.close()
  })

  it('D27, S33: one process serves its sessions; it ends with the agent, within a second', async () => {
    const pids = join(scratch.path, 'pids')
    const editor = await openEditor(scratch, {env: script(call('where'), {text: 'Done.'})})
    const ids = [await sessionWith(editor, stdio(`pids=${pids}`)), await sessionWith(editor, stdio(`pids=${pids}`))]
    for (const id of ids) await editor.prompt(id, 'Where?')
    const [pid, ...more] = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
    assert.deepEqual(more, [])
    assert.ok(pid !== undefined && isRunning(pid))
    const {code, ms} = await editor.close()
    assert.deepEqual([code, ms < withinMs(1000)], [0, true], `${ms} ms`)
    await until(() => !isRunning(pid), 'the server to end')
  })

  it('S33, S16: 30 turns reuse one server-everything, another checkout has its own; it stops when idle; at the cap turns wait', async () => {
    const pids = join(scratch.path, 'pids')
    const everything = join(repository, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
    const started = (): number[] => readFileSync(pids, 'utf8').trim().split('\n').map(Number)
    const servers = ['all', 'more'].map(
      (name) =>
        `[providers.mcp.${name}]\ncommand = "sh"\narguments = ["-c", "echo $$ >> ${pids}; exec '${process.execPath}' '${everything}' stdio"]\n`,
    )
    const tools =
      '[conversation.tools.echo]\nsource = "mcp.all"\nrun = "unattended"\n[conversation.tools.sum]\nsource = "mcp.more.get-sum"\nenable = false\n'
    scratch.write(
      'home/.config/jp/config.toml',
      `mcp = {idle_timeout_secs = 1, max_instances = 2}\n[assistant.model]\nid = "echo/echo"\n${servers.join('')}${tools}`,
    )
    const turn = [call('echo', {message: 'hi'}), {text: 'Done.'}]
    const editor = await openEditor(scratch, {env: script(...turn)})
    const other = scratch.checkout('other', 'a1b2c')
    const [here, there] = [await editor.newSession(root), await editor.newSession(other)]
    for (let n = 0; n < 30; n++) {
      assert.equal((await editor.prompt(here, 'Go.')).stopReason, 'end_turn')
      assert.deepEqual(resultOf(editor, here, 'echo'), {outcome: 'success', content: 'Echo: hi'})
    }
    assert.equal(started().length, 1)
    await editor.prompt(there, 'Go.')
    assert.equal(started().length, 2)
    await until(() => !started().some(isRunning), 'the idle servers to stop')
    // Two turns that want two servers each, and room for two.
    const file = 'home/.config/jp/config.toml'
    scratch.write(file, readFileSync(join(scratch.path, file), 'utf8').replace('enable = false', 'enable = true'))
    const anew = [await editor.newSession(root), await editor.newSession(other)]
    const ends = await Promise.all(anew.map((id) => editor.prompt(id, 'Go.')))
    assert.equal(started().length, 6)
    assert.deepEqual(
      ends.map(({stopReason}) => stopReason),
      ['end_turn', 'end_turn'],
    )
    await editor.close()
    await until(() => !started().some(isRunning), 'the servers to end')
  })

  it('D28: a server that ignores every word ends with the agent, too', async () => {
    const pids = join(scratch.path, 'pids')
    const editor = await openEditor(scratch, {env: script(call('where'), {text: 'Done.'})})
    const id = await sessionWith(editor, stdio('deaf', 'grandchild', `pids=${pids}`))
    await editor.prompt(id, 'Where?')
    const all = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
    assert.equal(all.length, 2)
    const {ms} = await editor.close()
    assert.ok(ms < withinMs(1000), `${ms} ms`)
    await until(() => !all.some(isRunning), 'the server and its child to end')
  })

  it('D27: a server that does not start is left out, and the prompt goes on; SSE was not offered and is refused', async () => {
    const editor = await openEditor(scratch, {
      env: script({text: 'Without it.'}),
      capabilities: {session: {notices: {}}},
    })
    const id = await sessionWith(editor, stdio('exit=3'))
    assert.equal((await editor.prompt(id, 'Hi.')).stopReason, 'end_turn')
    assert.equal(textOf(editor.updates(id)), 'Without it.')
    assert.ok(
      editor.updates(id).some((update) => update.sessionUpdate === 'notice' && /tiny was left out/.test(update.title)),
    )
    const sse = sessionWith(editor, {type: 'sse', name: 'old', url: 'http://127.0.0.1:1/sse', headers: []})
    assert.equal((await rpcErrorOf(sse)).code, -32602)
    await editor.close()
  })

  it('D27: a server over HTTP is spoken to with the headers that the client gives', async () => {
    const headers: (string | undefined)[] = []
    http = createServer((request, response) => {
      let body = ''
      request.on('data', (bytes: Buffer) => (body += bytes.toString()))
      request.on('end', () => {
        if (request.method !== 'POST') return response.writeHead(405).end()
        const {id, method, params} = JSON.parse(body) as {
          id?: number
          method: string
          params?: {protocolVersion: string}
        }
        headers.push(request.headers['x-key'] as string | undefined)
        if (id === undefined) return response.writeHead(202).end()
        const results: Record<string, unknown> = {
          initialize: {
            protocolVersion: params?.protocolVersion,
            capabilities: {tools: {}},
            serverInfo: {name: 'web', version: '1'},
          },
          'tools/list': {tools: [{name: 'far', inputSchema: {type: 'object'}}]},
          'tools/call': {content: [{type: 'text', text: 'from afar'}]},
        }
        response.writeHead(200, {'content-type': 'application/json'})
        return response.end(JSON.stringify({jsonrpc: '2.0', id, result: results[method] ?? {}}))
      })
    })
    await new Promise<void>((resolve) => http?.listen(0, '127.0.0.1', resolve))
    const {port} = http.address() as AddressInfo
    const editor = await openEditor(scratch, {env: script(call('far'), {text: 'Done.'})})
    const id = await sessionWith(editor, {
      type: 'http',
      name: 'web',
      url: `http://127.0.0.1:${port}/mcp`,
      headers: [{name: 'X-Key', value: 'open sesame'}],
    })
    await editor.prompt(id, 'Call it.')
    assert.deepEqual(resultOf(editor, id, 'far'), {outcome: 'success', content: 'from afar'})
    assert.deepEqual([...new Set(headers)], ['open sesame'])
    await editor.close()
  })

  it('facts 9.5: a choice that a tool asks for is a permission request, a text a form where the client has forms', async () => {
    const question = (type: string) =>
      JSON.stringify({
        type: 'needs_input',
        question: {id: 'q', text: 'Which?', answer_type: JSON.parse(type) as unknown},
      })
    const asking = (type: string) =>
      `[conversation.tools.ask]\nsource = "local"\nrun = "unattended"\ncommand = {program = "sh", args = ["-c", 'case "$1" in "") printf %s "$2";; *) printf %s "$1";; esac', "sh", "{{tool.answers.q}}", '${question(type)}']}\n`
    const settle = (type: string) =>
      scratch.write('home/.config/jp/config.toml', `[assistant.model]\nid = "echo/echo"\n${asking(type)}`)
    settle('{"Select": {"options": ["red", "green"]}}')
    const editor = await openEditor(scratch, {
      env: script(call('ask'), {text: 'Done.'}),
      capabilities: {elicitation: {form: {}}},
      onPermission: ({options}) =>
        Promise.resolve({outcome: {outcome: 'selected', optionId: options[1]?.optionId ?? ''}}),
      register: (app) =>
        app.onRequest('elicitation/create', ({params}) => {
          assert.equal(params.message, 'Which?')
          return {action: 'accept', content: {answer: 'blue'}}
        }),
    })
    const id = await editor.newSession(root)
    await editor.prompt(id, 'Ask.')
    assert.deepEqual(resultOf(editor, id, 'ask'), {outcome: 'success', content: 'green'})
    settle('"Text"')
    const next = await editor.newSession(root)
    await editor.prompt(next, 'Ask.')
    assert.deepEqual(resultOf(editor, next, 'ask'), {outcome: 'success', content: 'blue'})
    await editor.close()
    const plain = await openEditor(scratch, {env: script(call('ask'), {text: 'Done.'})})
    const other = await plain.newSession(root)
    await plain.prompt(other, 'Ask.')
    assert.deepEqual(resultOf(plain, other, 'ask'), {
      outcome: 'error',
      content: 'The tool asked "Which?", and nobody could answer.',
    })
    await plain.close()
  })
})
