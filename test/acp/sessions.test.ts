import assert from 'node:assert/strict'
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import type {NewSessionRequest} from '@agentclientprotocol/sdk'
import {deriveSessionId} from '../../src/conversation/session-id.js'
import type {ConversationId, WorkspaceId} from '../../src/platform/id-grammar.js'
import {endEditors, openEditor, rpcErrorOf, textOf} from '../support/acp.js'
import {writeConversation} from '../support/conversations.js'
import {runJp} from '../support/jp.js'
import {until} from '../support/processes.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

const workspace = 'a1b2c' as WorkspaceId
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('jp acp: sessions', () => {
  let scratch: Scratch
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', workspace)
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
  })
  afterEach(() => {
    endEditors()
    scratch.remove()
  })

  const conversations = async (): Promise<{id: ConversationId; last_root?: {path: string}}[]> =>
    JSON.parse((await runJp(['-w', root, 'c', 'ls', '-F', 'json'], {cwd: scratch.path, env: scratch.env})).stdout)

  it('D27: a client initializes, starts a session, prompts with text and is streamed the answer', async () => {
    const editor = await openEditor(scratch)
    assert.equal(editor.initialized.protocolVersion, 1)
    assert.equal(editor.initialized.agentCapabilities?.loadSession, true)
    const id = await editor.newSession(root)
    assert.match(id, uuid)
    const end = await editor.prompt(id, 'Hello from\nan editor. ')
    assert.equal(end.stopReason, 'end_turn')
    assert.equal(textOf(editor.updates(id)), 'Hello from\nan editor. ')
    assert.equal((await editor.prompt(id, 'And again.')).stopReason, 'end_turn')
    assert.deepEqual((await editor.close()).code, 0)
    assert.equal(editor.stderr(), '')
  })

  it('D27: a prompt may link and embed files; pictures were not offered and are refused', async () => {
    const editor = await openEditor(scratch)
    const id = await editor.newSession(root)
    const uri = `file://${root}/a%20b.ts`
    await editor.prompt(id, [
      {type: 'text', text: 'Look at '},
      {type: 'resource_link', name: 'a b.ts', uri},
      {type: 'resource', resource: {uri, text: 'let x = 1'}},
    ])
    const path = join(root, 'a b.ts')
    assert.equal(
      textOf(editor.updates(id)),
      `Look at [@a b.ts](${path})\n\n<file path="${path}">\nlet x = 1\n</file>\n\n`,
    )
    const refused = await rpcErrorOf(editor.prompt(id, [{type: 'image', data: '', mimeType: 'image/png'}]))
    assert.equal(refused.code, -32602)
    assert.deepEqual((await rpcErrorOf(editor.prompt(id, ' \n'))).data, {
      code: 'request_invalid',
      message: 'The prompt is empty.',
    })
    await editor.close()
  })

  it('D27: a session is on no disk before its first prompt; then it is a conversation with its last root', async () => {
    const editor = await openEditor(scratch)
    const id = await editor.newSession(root)
    assert.deepEqual(await conversations(), [])
    await editor.prompt(id, 'One.')
    const [entry] = await conversations()
    assert.ok(entry)
    assert.equal(entry.last_root?.path, root)
    assert.equal(id, deriveSessionId(workspace, entry.id))
    await editor.close()
  })

  it('D27, D31: a fresh process loads a session with the full replay, and lists and resumes it', async () => {
    const first = await openEditor(scratch)
    const id = await first.newSession(root)
    await first.prompt(id, 'One.')
    await first.prompt(id, 'Two.')
    await first.close()
    const second = await openEditor(scratch)
    const listed = await second.agent.request('session/list', {cwd: root})
    assert.deepEqual(
      listed.sessions.map(({sessionId, cwd, title}) => ({sessionId, cwd, title})),
      [{sessionId: id, cwd: root, title: null}],
    )
    assert.deepEqual((await second.agent.request('session/list', {})).sessions, listed.sessions)
    const loaded = await second.agent.request('session/load', {sessionId: id, cwd: root, mcpServers: []})
    assert.equal(loaded.modes?.currentModeId, 'ask')
    assert.deepEqual(
      second
        .updates(id)
        .map((update) => [
          update.sessionUpdate,
          'content' in update && update.content && 'text' in update.content ? update.content.text : '',
        ]),
      [
        ['user_message_chunk', 'One.'],
        ['agent_message_chunk', 'One.'],
        ['user_message_chunk', 'Two.'],
        ['agent_message_chunk', 'Two.'],
      ],
    )
    const third = await openEditor(scratch)
    await third.agent.request('session/resume', {sessionId: id.toUpperCase(), cwd: root})
    assert.deepEqual(third.updates(id), [])
    await third.prompt(id, 'Three.')
    assert.equal((await conversations()).length, 1)
    await Promise.all([second.close(), third.close()])
  })

  it('D31: listing, loading and resuming write nothing', async () => {
    const conversation = 'jp-c17000000000' as ConversationId
    writeConversation(join(root, '.jp', 'conversations'), '17000000000-old', {title: 'old'})
    const editor = await openEditor(scratch)
    await editor.agent.request('session/list', {cwd: root})
    const before = listing(scratch.path)
    const id = deriveSessionId(workspace, conversation)
    const {sessions} = await editor.agent.request('session/list', {cwd: root})
    assert.deepEqual(
      sessions.map(({sessionId, title}) => [sessionId, title]),
      [[id, 'old']],
    )
    await editor.agent.request('session/load', {sessionId: id, cwd: root, mcpServers: []})
    await editor.agent.request('session/resume', {sessionId: id, cwd: root})
    assert.deepEqual(listing(scratch.path), before)
    await editor.close()
  })

  it('D31: an id that the caller gave is kept, and names the conversation in a fresh process', async () => {
    const given = '0b0e7c4a-1111-4222-8333-444455556666'
    const first = await openEditor(scratch)
    const params: NewSessionRequest = {cwd: root, mcpServers: [], _meta: {jp: {sessionId: given.toUpperCase()}}}
    assert.equal((await first.agent.request('session/new', params)).sessionId, given)
    const conflict = await rpcErrorOf(first.agent.request('session/new', params))
    assert.equal((conflict.data as {code: string}).code, 'session_id_conflict')
    await first.prompt(given, 'Hi.')
    await first.close()
    const second = await openEditor(scratch)
    await second.agent.request('session/load', {sessionId: given, cwd: root, mcpServers: []})
    assert.equal(textOf(second.updates(given)), 'Hi.')
    const conflictLater = await rpcErrorOf(second.agent.request('session/new', params))
    assert.equal((conflictLater.data as {code: string}).code, 'session_id_conflict')
    await second.close()
  })

  it('D32: an idle session holds no lock', async () => {
    const editor = await openEditor(scratch)
    const id = await editor.newSession(root)
    const unborn = await editor.newSession(root)
    await editor.prompt(id, 'Hi.')
    const locks = join(scratch.data, 'workspace', `app-${workspace}`, 'locks')
    // The reservation of an id lasts until the tenth of a second that it names is over.
    await until(() => readdirSync(locks).length === 0, 'no lock is held')
    await editor.prompt(unborn, 'Born late.')
    assert.equal((await conversations()).length, 2)
    await editor.close()
  })

  it('D31: sessions that are started at once have ids of their own', async () => {
    const editors = await Promise.all([openEditor(scratch), openEditor(scratch)])
    const ids = await Promise.all(editors.flatMap((editor) => [1, 2, 3, 4].map(() => editor.newSession(root))))
    assert.equal(new Set(ids).size, 8)
    await Promise.all(editors.map((editor) => editor.close()))
  })

  it('D27: a cwd without a workspace is an error that names jp init; so are a relative one and one that is gone', async () => {
    const editor = await openEditor(scratch)
    const outside = scratch.folder('outside')
    const none = await rpcErrorOf(editor.newSession(outside))
    assert.equal(none.code, -32002)
    assert.match(none.message, /jp init/)
    assert.equal((none.data as {code: string}).code, 'workspace_not_found')
    assert.equal((await rpcErrorOf(editor.newSession('app'))).code, -32602)
    assert.equal((await rpcErrorOf(editor.newSession(join(scratch.path, 'gone')))).code, -32002)
    const sub = scratch.folder('app/src/deep')
    const id = await editor.newSession(sub)
    await editor.prompt(id, 'From below.')
    assert.equal((await conversations())[0]?.last_root?.path, root)
    await editor.close()
  })

  it('D6, D27: an agent that was started with -w serves that checkout alone', async () => {
    const other = scratch.checkout('other', 'z9y8x')
    const editor = await openEditor(scratch, {args: ['-w', root]})
    assert.match(await editor.newSession(scratch.folder('app/src')), uuid)
    const refused = await rpcErrorOf(editor.newSession(other))
    assert.equal(refused.code, -32602)
    assert.equal((refused.data as {code: string}).code, 'workspace_mismatch')
    await editor.close()
    const run = await runJp(['-w', 'nowhere-at-all', 'acp'], {cwd: scratch.path, env: scratch.env})
    assert.equal(run.code, 3)
    assert.equal(run.stdout, '')
  })

  it('D27: what is no session is not found; a malformed configuration is told with its file and line', async () => {
    const editor = await openEditor(scratch)
    const id = '00000000-0000-8000-8000-000000000000'
    for (const answer of [
      editor.prompt(id, 'Hi.'),
      editor.agent.request('session/load', {sessionId: id, cwd: root, mcpServers: []}),
      editor.agent.request('session/resume', {sessionId: '../../etc', cwd: root}),
      editor.agent.request('session/set_mode', {sessionId: id, modeId: 'ask'}),
    ]) {
      const error = await rpcErrorOf(answer)
      assert.deepEqual([error.code, (error.data as {code: string}).code], [-32002, 'session_not_found'])
    }
    await editor.agent.request('session/close', {sessionId: id})
    scratch.write('app/.jp/config.toml', '[assistant\n')
    const malformed = await rpcErrorOf(editor.newSession(root))
    assert.match(malformed.message, /config\.toml:1/)
    await editor.close()
  })

  it('D27: modes and models: a client chooses, is told, and what is not offered is refused', async () => {
    scratch.write('home/.config/jp/config.toml', '[providers.llm.aliases]\nsmall = "echo/small"\n')
    const editor = await openEditor(scratch)
    const {sessionId, configOptions} = await editor.agent.request('session/new', {cwd: root, mcpServers: []})
    assert.deepEqual(
      configOptions?.map((option) => [option.id, option.category, option.currentValue]),
      [
        ['mode', 'mode', 'ask'],
        ['model', 'model', 'echo/echo'],
      ],
    )
    await editor.agent.request('session/set_mode', {sessionId, modeId: 'accept-edits'})
    assert.deepEqual(editor.updates(sessionId)[0], {
      sessionUpdate: 'current_mode_update',
      currentModeId: 'accept-edits',
    })
    const chosen = await editor.agent.request('session/set_config_option', {
      sessionId,
      configId: 'model',
      value: 'echo/small',
    })
    assert.deepEqual(
      chosen.configOptions.map((option) => option.currentValue),
      ['accept-edits', 'echo/small'],
    )
    await editor.prompt(sessionId, 'Hi.')
    const error = await rpcErrorOf(editor.agent.request('session/set_mode', {sessionId, modeId: 'yolo'}))
    assert.equal(error.code, -32602)
    const unknown = editor.agent.request('session/set_config_option', {sessionId, configId: 'model', value: 'no/such'})
    assert.match((await rpcErrorOf(unknown)).message, /jp config set providers\.llm\.aliases/)
    await editor.close()
    const later = await openEditor(scratch)
    const loaded = await later.agent.request('session/load', {sessionId, cwd: root, mcpServers: []})
    assert.deepEqual(
      loaded.configOptions?.map((option) => option.currentValue),
      ['ask', 'echo/small'],
    )
    await later.close()
  })

  it('D27: without a model the prompt says how to name one, and nothing is created', async () => {
    scratch.write('app/.jp/config.toml', '')
    const editor = await openEditor(scratch)
    const id = await editor.newSession(root)
    const error = await rpcErrorOf(editor.prompt(id, 'Hi.'))
    assert.equal((error.data as {code: string}).code, 'model_required')
    assert.match(error.message, /jp config set assistant\.model\.id=/)
    assert.deepEqual(await conversations(), [])
    await editor.close()
  })
})
