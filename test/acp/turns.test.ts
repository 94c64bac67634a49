import assert from 'node:assert/strict'
import type {RequestPermissionResponse} from '@agentclientprotocol/sdk'
import {endEditors, openEditor, rpcErrorOf, select, textOf} from '../support/acp.js'
import {runJp} from '../support/jp.js'
import {withinMs} from '../support/pace.js'
import {until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {startTitleServer} from '../support/title-server.js'

describe('jp acp: turns', () => {
  let scratch: Scratch
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    scratch.write('home/.config/jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
  })
  afterEach(() => {
    endEditors()
    scratch.remove()
  })

  const script = (...steps: readonly object[]): Record<string, string> => ({
    JP_ECHO_SCRIPT: scratch.write('script.json', JSON.stringify(steps)),
  })
  const jp = async (cwd: string, ...args: readonly string[]): Promise<string> => {
    const run = await runJp(args, {cwd, env: scratch.env})
    assert.equal(run.code, 0, run.stderr)
    return run.stdout
  }
  const newest = async (): Promise<{id: string; last_root?: {path: string}}> =>
    JSON.parse(await jp(root, 'c', 'ls', '-F', 'json')).at(-1)

  it('D27, W27: a cancel in mid-text ends the prompt as cancelled, keeps what came, and the next prompt runs', async () => {
    const env = script({text: 'word ', repeat: 2000, delay_ms: 5})
    const editor = await openEditor(scratch, {env})
    const id = await editor.newSession(root)
    const prompt = editor.prompt(id, 'Go on and on.')
    await editor.until(id, ({sessionUpdate}) => sessionUpdate === 'agent_message_chunk')
    const start = performance.now()
    await editor.agent.notify('session/cancel', {sessionId: id})
    assert.equal((await prompt).stopReason, 'cancelled')
    const ms = performance.now() - start
    assert.ok(ms < withinMs(1000), `${ms} ms`)
    const kept = textOf(editor.updates(id))
    assert.match(kept, /^(?:word )+$/)
    script({text: 'Second.'})
    assert.equal((await editor.prompt(id, 'And now?')).stopReason, 'end_turn')
    assert.equal(textOf(editor.updates(id)), `${kept}Second.`)
    await editor.close()
    const fresh = await openEditor(scratch)
    await fresh.agent.request('session/load', {sessionId: id, cwd: root, mcpServers: []})
    assert.equal(textOf(fresh.updates(id)), `${kept}Second.`)
    await fresh.close()
  })

  it('W28, S34, D27: a new conversation gets its title beside the first prompt, and the client is told', async () => {
    const server = await startTitleServer(scratch, {title: () => '{"titles": ["Why so"]}'})
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "spy/model"\n')
    try {
      const editor = await openEditor(scratch)
      const id = await editor.newSession(root)
      for (const text of ['Why?', 'And now?']) assert.equal((await editor.prompt(id, text)).stopReason, 'end_turn')
      const titles = editor
        .updates(id)
        .flatMap((update) => (update.sessionUpdate === 'session_info_update' ? [update.title] : []))
      await editor.close()
      assert.deepEqual(server.asked.toSorted(), ['title', 'turn', 'turn'])
      const listed = JSON.parse(await jp(root, 'c', 'ls', '-F', 'json')) as {title: string | null}[]
      assert.deepEqual(
        listed.map(({title}) => title),
        ['Why so'],
      )
      assert.deepEqual(titles, ['Why so'])
    } finally {
      server.close()
    }
  })

  it('D27, D29: a cancel on an idle session, twice, or of no session changes nothing', async () => {
    const editor = await openEditor(scratch)
    const id = await editor.newSession(root)
    await editor.agent.notify('session/cancel', {sessionId: id})
    await editor.agent.notify('session/cancel', {sessionId: 'none'})
    assert.equal((await editor.prompt(id, 'Still here.')).stopReason, 'end_turn')
    await editor.agent.notify('session/cancel', {sessionId: id})
    await editor.agent.notify('session/cancel', {sessionId: id})
    assert.equal((await editor.prompt(id, 'And here.')).stopReason, 'end_turn')
    assert.equal(textOf(editor.updates(id)), 'Still here.And here.')
    await editor.close()
  })

  it('D27: cancelling the request itself cancels the prompt', async () => {
    const editor = await openEditor(scratch, {env: script({text: 'word ', repeat: 2000, delay_ms: 5})})
    const id = await editor.newSession(root)
    const controller = new AbortController()
    const prompt = editor.agent.request(
      'session/prompt',
      {sessionId: id, prompt: [{type: 'text', text: 'Go.'}]},
      {cancellationSignal: controller.signal},
    )
    await editor.until(id, ({sessionUpdate}) => sessionUpdate === 'agent_message_chunk')
    controller.abort()
    assert.equal((await prompt).stopReason, 'cancelled')
    await editor.close()
  })

  it('D27: a session runs one prompt at a time; others run beside it', async () => {
    const editor = await openEditor(scratch, {env: script({text: 'word ', repeat: 2000, delay_ms: 5})})
    const busy = await editor.newSession(root)
    const prompt = editor.prompt(busy, 'Go.')
    await editor.until(busy, ({sessionUpdate}) => sessionUpdate === 'agent_message_chunk')
    for (const answer of [
      editor.prompt(busy, 'Me too.'),
      editor.agent.request('session/load', {sessionId: busy, cwd: root, mcpServers: []}),
    ]) {
      assert.equal(((await rpcErrorOf(answer)).data as {code: string}).code, 'session_busy')
    }
    const other = await editor.newSession(root)
    const beside = editor.prompt(other, 'Beside.')
    await editor.until(other, ({sessionUpdate}) => sessionUpdate === 'agent_message_chunk')
    await editor.agent.request('session/close', {sessionId: busy})
    assert.equal((await prompt).stopReason, 'cancelled')
    await editor.agent.notify('session/cancel', {sessionId: other})
    assert.equal((await beside).stopReason, 'cancelled')
    await editor.close()
  })

  it('D27: thoughts are streamed as thoughts; what ends an answer early is its stop reason', async () => {
    const env = script({reasoning: 'Let me think. '}, {text: 'Thought.'}, {end: 'length'})
    const editor = await openEditor(scratch, {env})
    const id = await editor.newSession(root)
    assert.equal((await editor.prompt(id, 'One.')).stopReason, 'max_tokens')
    assert.equal(textOf(editor.updates(id), 'agent_thought_chunk'), 'Let me think. ')
    assert.equal(textOf(editor.updates(id)), 'Thought.')
    script({text: 'No.'}, {end: 'content-filter'})
    assert.equal((await editor.prompt(id, 'Two.')).stopReason, 'refusal')
    script({error: {kind: 'unauthorised'}})
    const failed = await rpcErrorOf(editor.prompt(id, 'Three.'))
    assert.equal(failed.code, -32603)
    assert.equal((failed.data as {code: string}).code, 'provider_unauthorised')
    await editor.close()
  })

  it('D28: closing stdin in mid-turn keeps what came and ends within a second', async () => {
    const editor = await openEditor(scratch, {env: script({text: 'word ', repeat: 2000, delay_ms: 5})})
    const id = await editor.newSession(root)
    const prompt = editor.prompt(id, 'Go.')
    prompt.catch(() => undefined)
    await editor.until(id, ({sessionUpdate}) => sessionUpdate === 'agent_message_chunk')
    const {code, ms} = await editor.close()
    assert.equal(code, 0)
    assert.ok(ms < withinMs(1000), `${ms} ms`)
    assert.equal((await prompt).stopReason, 'cancelled')
    assert.match(await jp(root, 'c', 'print', (await newest()).id), /\n(?:word ?)+\n/)
  })

  it('D27, D32: jp query continues what the editor started, and the editor loads that', async () => {
    const editor = await openEditor(scratch)
    const id = await editor.newSession(root)
    await editor.prompt(id, 'From the editor.')
    const {id: conversation} = await newest()
    await jp(root, 'q', '--id', conversation, 'From the shell.')
    await editor.prompt(id, 'From the editor again.')
    await editor.agent.request('session/load', {sessionId: id, cwd: root, mcpServers: []})
    assert.equal(
      textOf(editor.updates(id), 'user_message_chunk'),
      'From the editor.From the shell.From the editor again.',
    )
    assert.equal((await newest()).last_root?.path, root)
    assert.deepEqual(editor.permissions, [])
    await editor.close()
  })

  it('D27, D32: a turn that ran in another checkout in between is asked about; the answer decides where it goes on', async () => {
    const other = scratch.checkout('app-two', 'a1b2c')
    let answer: RequestPermissionResponse = select('leave')
    const editor = await openEditor(scratch, {onPermission: () => Promise.resolve(answer)})
    const id = await editor.newSession(root)
    await editor.prompt(id, 'Here.')
    const {id: conversation} = await newest()
    await jp(other, 'q', '--id', conversation, 'Elsewhere.')
    assert.equal((await newest()).last_root?.path, other)
    assert.equal((await editor.prompt(id, 'Here?')).stopReason, 'cancelled')
    assert.equal((await newest()).last_root?.path, other)
    const [asked] = editor.permissions
    assert.equal(asked?.toolCall.title, `This conversation last ran in ${other}. Continue it in ${root}?`)
    assert.deepEqual(
      asked?.options.map(({kind}) => kind),
      ['allow_once', 'reject_once'],
    )
    answer = {outcome: {outcome: 'cancelled'}}
    assert.equal((await editor.prompt(id, 'Here?')).stopReason, 'cancelled')
    answer = select('continue-here')
    assert.equal((await editor.prompt(id, 'Here again.')).stopReason, 'end_turn')
    assert.equal((await newest()).last_root?.path, root)
    await editor.prompt(id, 'And on.')
    assert.equal(editor.permissions.length, 3)
    assert.equal(textOf(editor.updates(id)), 'Here.Here again.And on.')
    await editor.close()
  })

  it('D32: the question holds no lock, and a cancel while it is open ends the prompt', async () => {
    const other = scratch.checkout('app-two', 'a1b2c')
    const editor = await openEditor(scratch, {onPermission: () => new Promise(() => undefined)})
    const id = await editor.newSession(root)
    await editor.prompt(id, 'Here.')
    const {id: conversation} = await newest()
    await jp(other, 'q', '--id', conversation, 'Elsewhere.')
    const prompt = editor.prompt(id, 'Here?')
    await until(() => editor.permissions.length > 0, 'the question')
    await jp(other, 'q', '--id', conversation, 'Elsewhere while it is open.')
    await editor.agent.notify('session/cancel', {sessionId: id})
    assert.equal((await prompt).stopReason, 'cancelled')
    await editor.close()
  })

  it('D31, D32: an agent for one checkout answers last_root_mismatch with the record, and has no part in sessions of another', async () => {
    const other = scratch.checkout('app-two', 'a1b2c')
    const editor = await openEditor(scratch, {args: ['-w', root]})
    const id = await editor.newSession(root)
    await editor.prompt(id, 'Here.')
    const {id: conversation} = await newest()
    await jp(other, 'q', '--id', conversation, 'Elsewhere.')
    const {last_root: record} = await newest()
    const {data} = await rpcErrorOf(editor.prompt(id, 'Here?'))
    assert.deepEqual(
      [(data as {code: string}).code, (data as {last_root: unknown}).last_root],
      ['last_root_mismatch', record],
    )
    assert.deepEqual(editor.permissions, [])
    assert.deepEqual((await editor.agent.request('session/list', {})).sessions, [])
    const fresh = await openEditor(scratch, {args: ['-w', root]})
    const restored = fresh.agent.request('session/load', {sessionId: id, cwd: root, mcpServers: []})
    assert.equal((await rpcErrorOf(restored)).code, -32002)
    const there = await openEditor(scratch, {args: ['-w', other]})
    await there.agent.request('session/load', {sessionId: id, cwd: other, mcpServers: []})
    assert.equal(textOf(there.updates(id)), 'Here.Elsewhere.')
    await Promise.all([editor.close(), fresh.close(), there.close()])
  })

  it('W19: a conversation that another process holds is waited for, then the holder is named', async () => {
    const env = {JP_LOCK_DURATION: '200ms'}
    const editor = await openEditor(scratch, {env})
    const id = await editor.newSession(root)
    await editor.prompt(id, 'Here.')
    const holder = await openEditor(scratch, {env: script({stall: true})})
    await holder.agent.request('session/load', {sessionId: id, cwd: root, mcpServers: []})
    const stalled = holder.prompt(id, 'Hold it.')
    const conversation = (await newest()).id
    const isHeld = async () =>
      ((await rpcErrorOf(editor.prompt(id, 'Me too.')).catch(() => undefined))?.data as {code: string} | undefined)
        ?.code
    await until(async () => (await isHeld()) === 'conversation_locked', 'the lock is held')
    const {data} = await rpcErrorOf(editor.prompt(id, 'Me too.'))
    assert.equal((data as {holder: {pid: number}}).holder.pid, holder.child.pid)
    assert.equal((data as {conversation: string}).conversation, conversation)
    await holder.agent.notify('session/cancel', {sessionId: id})
    await stalled
    assert.equal((await editor.prompt(id, 'Now.')).stopReason, 'end_turn')
    await Promise.all([editor.close(), holder.close()])
  })

  it('W30, D27: what an untrusted checkout may not do is told once in a session, as the client can show it', async () => {
    scratch.write('app/.jp/config.toml', '[conversation.tools.build]\nsource = "local"\ncommand = "make"\n')
    const plain = await openEditor(scratch)
    const id = await plain.newSession(root)
    await plain.prompt(id, 'One.')
    assert.match(textOf(plain.updates(id), 'agent_thought_chunk'), /^Left out of .*config\.toml.*"jp w trust".*\n\n$/)
    await plain.prompt(id, 'Two.')
    assert.equal(textOf(plain.updates(id), 'agent_thought_chunk').match(/jp w trust/g)?.length, 1)
    assert.equal(textOf(plain.updates(id)), 'One.Two.')
    assert.match(plain.stderr(), /^Warning: Left out of .*jp w trust/)
    const noticing = await openEditor(scratch, {capabilities: {session: {notices: {}}}})
    const other = await noticing.newSession(root)
    await noticing.prompt(other, 'One.')
    const notices = noticing.updates(other).filter(({sessionUpdate}) => sessionUpdate === 'notice')
    assert.equal(notices.length, 1)
    assert.equal(textOf(noticing.updates(other), 'agent_thought_chunk'), '')
    await Promise.all([plain.close(), noticing.close()])
  })

  it('W28: the title that the first message gives is told to the client', async () => {
    const editor = await openEditor(scratch)
    const id = await editor.newSession(root)
    await editor.prompt(id, '# A plan\n\nLet us begin.')
    assert.deepEqual(
      editor.updates(id).filter(({sessionUpdate}) => sessionUpdate === 'session_info_update'),
      [{sessionUpdate: 'session_info_update', title: 'A plan'}],
    )
    await editor.agent.request('session/load', {sessionId: id, cwd: root, mcpServers: []})
    assert.deepEqual(editor.updates(id).at(-1), {sessionUpdate: 'session_info_update', title: 'A plan'})
    await editor.close()
  })

  it('W13: --cfg of the command line counts in every session; --no-persist does not go with sessions', async () => {
    const editor = await openEditor(scratch, {args: ['--cfg', 'assistant.model.id=echo/other']})
    const {configOptions} = await editor.agent.request('session/new', {cwd: root, mcpServers: []})
    assert.equal(configOptions?.find(({id}) => id === 'model')?.currentValue, 'echo/other')
    await editor.close()
    const run = await runJp(['-P', 'acp'], {cwd: root, env: scratch.env})
    assert.deepEqual([run.code, run.stdout], [2, ''])
  })
})
