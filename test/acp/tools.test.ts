import assert from 'node:assert/strict'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {ClientApp, RequestPermissionResponse, SessionUpdate} from '@agentclientprotocol/sdk'
import {RequestError} from '@agentclientprotocol/sdk'
import {endEditors, openEditor, select, textOf} from '../support/acp.js'
import {runJp} from '../support/jp.js'
import {withinMs} from '../support/pace.js'
import {isRunning, until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const cancelled: RequestPermissionResponse = {outcome: {outcome: 'cancelled'}}

/** The last state of a tool call, put together from its updates. */
const callState = (updates: readonly SessionUpdate[], id: string): Record<string, unknown> =>
  Object.assign({}, ...updates.filter((update) => 'toolCallId' in update && update.toolCallId === id))

describe('jp acp: tools', () => {
  let scratch: Scratch
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    scratch.write(
      'home/.config/jp/config.toml',
      `[assistant.model]
id = "echo/echo"
[conversation.tools.write_file]
source = "builtin"
[conversation.tools.patch_file]
source = "builtin"
[conversation.tools.read_file]
source = "builtin"
run = "unattended"
[conversation.tools.run_command]
source = "builtin"
[conversation.tools.touch]
source = "local"
command = {program = "touch", args = ["touched"]}
[conversation.tools.always]
source = "local"
run = "unattended"
command = {program = "touch", args = ["always"]}
[conversation.tools.never]
source = "local"
run = "deny"
command = {program = "touch", args = ["never"]}
`,
    )
  })
  afterEach(() => {
    endEditors()
    scratch.remove()
  })

  const script = (...steps: readonly object[]): Record<string, string> => ({
    JP_ECHO_SCRIPT: scratch.write('script.json', JSON.stringify(steps)),
  })
  const call = (name: string, args: object = {}, id = 'call'): object => ({tool_call: {id, name, arguments: args}})
  /** What the model was told, by call. */
  const results = async (): Promise<Map<unknown, unknown>> => {
    const target = await runJp(['-w', root, 'c', 'ls', '-F', 'json'], {cwd: scratch.path, env: scratch.env})
    const [{id}] = JSON.parse(target.stdout) as [{id: string}]
    const run = await runJp(['-w', root, 'c', 'print', id, '-F', 'json'], {cwd: scratch.path, env: scratch.env})
    const events = JSON.parse(run.stdout) as Record<string, unknown>[]
    return new Map(
      events.filter(({type}) => type === 'tool_call_response').map((event) => [event['id'], event['content']]),
    )
  }

  it('D27, W26: a tool that asks permission is allowed once, and runs; its call is shown from pending to completed', async () => {
    const editor = await openEditor(scratch, {env: script(call('touch'), {text: 'Done.'})})
    const id = await editor.newSession(root)
    assert.equal((await editor.prompt(id, 'Touch it.')).stopReason, 'end_turn')
    assert.ok(existsSync(join(root, 'touched')))
    const [asked] = editor.permissions
    assert.deepEqual(
      [asked?.sessionId, asked?.toolCall.toolCallId, asked?.options.map(({kind}) => kind)],
      [id, 'call', ['allow_once', 'allow_always', 'reject_once']],
    )
    assert.deepEqual(asked?.toolCall.content, [{type: 'content', content: {type: 'text', text: 'touch touched'}}])
    assert.deepEqual(
      editor.updates(id).flatMap((update) => ('toolCallId' in update ? [[update.sessionUpdate, update.status]] : [])),
      [
        ['tool_call', 'pending'],
        ['tool_call_update', undefined],
        ['tool_call_update', 'in_progress'],
        ['tool_call_update', 'completed'],
      ],
    )
    assert.equal(textOf(editor.updates(id)), 'Done.')
    await editor.close()
  })

  it('D27, FR-28: allowed for ever, it is not asked about again, in a fresh process either', async () => {
    const env = script(call('touch'), {text: 'Done.'})
    const first = await openEditor(scratch, {env, onPermission: () => Promise.resolve(select('always'))})
    const id = await first.newSession(root)
    await first.prompt(id, 'Touch it.')
    await first.prompt(id, 'Again.')
    assert.equal(first.permissions.length, 1)
    await first.close()
    const second = await openEditor(scratch, {env})
    await second.prompt(await second.newSession(root), 'Again.')
    assert.deepEqual(second.permissions, [])
    await second.close()
  })

  it('D27, W26: refused, it does not run, and the model is told; what the configuration denies is never asked', async () => {
    const env = script(call('touch'), call('never', {}, 'no'), {text: 'Then not.'})
    const editor = await openEditor(scratch, {env, onPermission: () => Promise.resolve(select('reject'))})
    const id = await editor.newSession(root)
    const end = await editor.prompt(id, 'Touch it.')
    assert.equal(end.stopReason, 'end_turn')
    assert.equal(editor.permissions.length, 1)
    assert.ok(!existsSync(join(root, 'touched')))
    assert.ok(!existsSync(join(root, 'never')))
    assert.equal(callState(editor.updates(id), 'call')['status'], 'failed')
    assert.equal(callState(editor.updates(id), 'no')['status'], 'failed')
    assert.equal(textOf(editor.updates(id)), 'Then not.')
    await editor.close()
  })

  it('FR-53: a cancel while a permission is open ends the prompt within a second; a late answer does no harm', async () => {
    let answer: (response: RequestPermissionResponse) => void = () => undefined
    const editor = await openEditor(scratch, {
      env: script(call('touch'), {text: 'Done.'}),
      onPermission: () => new Promise((resolve) => (answer = resolve)),
    })
    const id = await editor.newSession(root)
    const prompt = editor.prompt(id, 'Touch it.')
    await until(() => editor.permissions.length > 0, 'the question')
    const start = performance.now()
    await editor.agent.notify('session/cancel', {sessionId: id})
    assert.equal((await prompt).stopReason, 'cancelled')
    const ms = performance.now() - start
    assert.ok(ms < withinMs(1000), `${ms} ms`)
    answer(select('allow'))
    script({text: 'Next.'})
    assert.equal((await editor.prompt(id, 'Next?')).stopReason, 'end_turn')
    assert.equal(textOf(editor.updates(id)), 'Next.')
    assert.ok(!existsSync(join(root, 'touched')))
    assert.equal(callState(editor.updates(id), 'call')['status'], 'failed')
    await editor.close()
  })

  it('FR-53: a client that takes the question back ends the turn; one that closes is not waited for', async () => {
    let answer: RequestPermissionResponse | undefined = cancelled
    const editor = await openEditor(scratch, {
      env: script(call('touch'), {text: 'Done.'}),
      onPermission: () => (answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer)),
    })
    const id = await editor.newSession(root)
    assert.equal((await editor.prompt(id, 'Touch it.')).stopReason, 'cancelled')
    answer = undefined
    const open = editor.prompt(id, 'Touch it.')
    open.catch(() => undefined)
    await until(() => editor.permissions.length >= 2, 'the second question')
    const {code, ms} = await editor.close()
    assert.deepEqual([code, ms < withinMs(1000)], [0, true], `${ms} ms`)
    assert.ok(!existsSync(join(root, 'touched')))
  })

  it('D27: modes: edits are accepted, everything is, and what is denied stays denied', async () => {
    const env = script(
      call('write_file', {path: 'a.txt', content: 'A'}, 'edit'),
      call('touch', {}, 'touch'),
      call('never', {}, 'never'),
      {text: 'Done.'},
    )
    const editor = await openEditor(scratch, {env, onPermission: () => Promise.resolve(select('reject'))})
    const id = await editor.newSession(root)
    await editor.agent.request('session/set_mode', {sessionId: id, modeId: 'accept-edits'})
    await editor.prompt(id, 'Do.')
    assert.deepEqual(
      editor.permissions.map(({toolCall}) => toolCall.toolCallId),
      ['touch'],
    )
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'A')
    await editor.agent.request('session/set_config_option', {sessionId: id, configId: 'mode', value: 'unattended'})
    await editor.prompt(id, 'Do.')
    assert.equal(editor.permissions.length, 1)
    assert.ok(existsSync(join(root, 'touched')))
    assert.ok(!existsSync(join(root, 'never')))
    await editor.close()
  })

  it('D27: modes: a session that plans changes nothing, whatever is allowed; auto asks about commands alone', async () => {
    const env = script(
      call('read_file', {path: 'a.txt'}, 'read'),
      call('write_file', {path: 'a.txt', content: 'changed'}, 'edit'),
      call('touch', {}, 'touch'),
      call('always', {}, 'always'),
      {text: 'Done.'},
    )
    scratch.write('app/a.txt', 'as it was')
    const editor = await openEditor(scratch, {env, onPermission: () => Promise.resolve(select('allow'))})
    const id = await editor.newSession(root)
    await editor.agent.request('session/set_mode', {sessionId: id, modeId: 'plan'})
    await editor.prompt(id, 'Do.')
    assert.equal(editor.permissions.length, 0)
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'as it was')
    assert.ok(!existsSync(join(root, 'touched')))
    assert.ok(!existsSync(join(root, 'always')))
    const told = await results()
    assert.match(String(told.get('read')), /as it was/)
    assert.match(String(told.get('always')), /the session only plans/)
    await editor.agent.request('session/set_mode', {sessionId: id, modeId: 'auto'})
    await editor.prompt(id, 'Do.')
    assert.deepEqual(
      editor.permissions.map(({toolCall}) => toolCall.title),
      ['touch'],
    )
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'changed')
    assert.ok(existsSync(join(root, 'touched')))
    assert.ok(existsSync(join(root, 'always')))
    await editor.close()
  })

  it('D27: tool calls carry their kind, their place and the difference that they make; the replay shows them again', async () => {
    scratch.write('app/src/a.txt', 'one two')
    const env = script(
      call('read_file', {path: 'src/a.txt', start_line: 1}, 'read'),
      call('patch_file', {path: 'src/a.txt', old: 'two', new: 'three'}, 'patch'),
      call('write_file', {path: 'b.txt', content: 'B'}, 'write'),
      {text: 'Done.'},
    )
    const editor = await openEditor(scratch, {env})
    const id = await editor.newSession(root)
    await editor.prompt(id, 'Change it.')
    const path = join(root, 'src/a.txt')
    const [read, patch, write] = ['read', 'patch', 'write'].map((call) => callState(editor.updates(id), call))
    assert.deepEqual(
      [read?.['title'], read?.['kind'], read?.['locations']],
      ['Read src/a.txt', 'read', [{path, line: 1}]],
    )
    assert.deepEqual(
      [patch?.['title'], patch?.['kind'], patch?.['content'], patch?.['status']],
      ['Change src/a.txt', 'edit', [{type: 'diff', path, oldText: 'one two', newText: 'one three'}], 'completed'],
    )
    assert.deepEqual(write?.['content'], [{type: 'diff', path: join(root, 'b.txt'), oldText: null, newText: 'B'}])
    assert.deepEqual(
      editor.permissions.map(({toolCall}) => [toolCall.kind, toolCall.content]),
      [
        ['edit', undefined],
        ['edit', undefined],
      ],
    )
    assert.equal(readFileSync(path, 'utf8'), 'one three')
    await editor.close()
    const fresh = await openEditor(scratch)
    await fresh.agent.request('session/load', {sessionId: id, cwd: root, mcpServers: []})
    assert.deepEqual(
      fresh
        .updates(id)
        .map((update) => ('toolCallId' in update ? [update.title, update.status] : update.sessionUpdate)),
      [
        'user_message_chunk',
        ['Read src/a.txt', 'completed'],
        ['Change src/a.txt', 'completed'],
        ['Write b.txt', 'completed'],
        'agent_message_chunk',
      ],
    )
    await fresh.close()
  })

  it('D27: calls with one id twice are two calls for the client', async () => {
    const editor = await openEditor(scratch, {
      env: script(call('touch', {}, 'same'), {text: 'Once. '}, call('touch', {}, 'same'), {text: 'Twice.'}),
    })
    const id = await editor.newSession(root)
    await editor.prompt(id, 'Touch it twice.')
    assert.equal(callState(editor.updates(id), 'same')['status'], 'completed')
    assert.equal(callState(editor.updates(id), 'same_2')['status'], 'completed')
    assert.equal(editor.permissions[1]?.toolCall.toolCallId, 'same_2')
    await editor.close()
  })

  it('D27: files are read and written through the client that offers them; the disk is left to it', async () => {
    scratch.write('app/a.txt', 'on the disk')
    const unsaved = new Map([[join(root, 'a.txt'), 'unsaved one']])
    const register = (app: ClientApp): ClientApp =>
      app
        .onRequest('fs/read_text_file', ({params}) => {
          const content = unsaved.get(params.path)
          if (content === undefined) throw RequestError.resourceNotFound(params.path)
          return {content}
        })
        .onRequest('fs/write_text_file', ({params}) => {
          if (params.path.endsWith('locked.txt')) throw new RequestError(-32603, 'it is locked')
          unsaved.set(params.path, params.content)
          return {}
        })
    const editor = await openEditor(scratch, {
      register,
      capabilities: {fs: {readTextFile: true, writeTextFile: true}},
      env: script(
        call('patch_file', {path: 'a.txt', old: 'one', new: 'two'}, 'patch'),
        call('read_file', {path: 'a.txt'}, 'read'),
        call('read_file', {path: 'no.txt'}, 'none'),
        call('write_file', {path: 'locked.txt', content: ''}, 'locked'),
        call('read_file', {path: '../home/.config/jp/config.toml'}, 'outside'),
        {text: 'Done.'},
      ),
    })
    const id = await editor.newSession(root)
    await editor.prompt(id, 'Change it.')
    assert.equal(unsaved.get(join(root, 'a.txt')), 'unsaved two')
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'on the disk')
    const told = await results()
    assert.equal(told.get('none'), `${join(root, 'no.txt')} does not exist.`)
    assert.equal(told.get('locked'), `The editor can't write ${join(root, 'locked.txt')}: it is locked`)
    assert.match(String(told.get('outside')), /lies outside/)
    await editor.close()
  })

  it('D27: a command runs in a terminal of the client that offers them', async () => {
    const seen: unknown[] = []
    const register = (app: ClientApp): ClientApp =>
      app
        .onRequest('terminal/create', ({params}) => {
          seen.push([params.command, params.args, params.cwd])
          return {terminalId: 'terminal-1'}
        })
        .onRequest('terminal/wait_for_exit', () => ({exitCode: 3}))
        .onRequest('terminal/output', () => ({output: 'three', truncated: false}))
        .onRequest('terminal/release', () => {
          seen.push('released')
          return {}
        })
    const editor = await openEditor(scratch, {
      register,
      capabilities: {terminal: true},
      env: script(call('run_command', {command: 'npm test'}), {text: 'Failed.'}),
    })
    const id = await editor.newSession(root)
    await editor.prompt(id, 'Test it.')
    assert.deepEqual(seen, [['npm', ['test'], root], 'released'])
    const state = callState(editor.updates(id), 'call')
    assert.deepEqual(state['content'], [{type: 'terminal', terminalId: 'terminal-1'}])
    assert.deepEqual([state['status'], state['kind'], state['title']], ['failed', 'execute', 'npm test'])
    assert.equal((await results()).get('call'), 'The command failed: exit code 3.\nthree')
    await editor.close()
  })

  it('FR-53: a client whose terminal never ends holds no cancel up', async () => {
    let created = false
    const killed: string[] = []
    const register = (app: ClientApp): ClientApp =>
      app
        .onRequest('terminal/create', () => {
          created = true
          return {terminalId: 'terminal-1'}
        })
        .onRequest('terminal/wait_for_exit', () => new Promise(() => undefined))
        .onRequest('terminal/release', ({params}) => {
          killed.push(params.terminalId)
          return {}
        })
    const editor = await openEditor(scratch, {
      register,
      capabilities: {terminal: true},
      env: script(call('run_command', {command: 'sleep 1000'}), {text: 'Never.'}),
    })
    const id = await editor.newSession(root)
    const prompt = editor.prompt(id, 'Sleep.')
    await until(() => created, 'the terminal')
    await editor.until(id, (update) => 'toolCallId' in update && update.content?.[0]?.type === 'terminal')
    await editor.agent.notify('session/cancel', {sessionId: id})
    assert.equal((await prompt).stopReason, 'cancelled')
    await until(() => killed.length > 0, 'the end of the command')
    assert.deepEqual(killed, ['terminal-1'])
    await editor.close()
  })

  it('D28, Q28: closing stdin ends a tool that runs, and its children, within a second', async () => {
    const pidFile = join(scratch.path, 'pid')
    const editor = await openEditor(scratch, {
      env: script(call('run_command', {command: `sh -c 'trap "" TERM; sleep 100 & echo $! > ${pidFile}; wait'`})),
    })
    const id = await editor.newSession(root)
    editor.prompt(id, 'Sleep.').catch(() => undefined)
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '', 'the tool runs')
    const {code, ms} = await editor.close()
    assert.equal(code, 0)
    assert.ok(ms < withinMs(1000), `${ms} ms`)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    await until(() => !isRunning(pid), 'the grandchild to end')
  })
})
