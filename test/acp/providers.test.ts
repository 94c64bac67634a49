import assert from 'node:assert/strict'
import {endEditors, openEditor, rpcErrorOf, textOf} from '../support/acp.js'
import {type ModelServer, startModelServer} from '../support/model-server.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('jp acp: a model server', () => {
  let scratch: Scratch
  let server: ModelServer
  let root: string
  beforeEach(async () => {
    scratch = createScratch()
    server = await startModelServer()
    root = scratch.checkout('app', 'a1b2c')
    scratch.write(
      'home/.config/jp/config.toml',
      `[assistant.model]
id = "anthropic/some-model"
[assistant.request]
base_backoff_ms = 1
max_retries = 1
[providers.llm.anthropic]
base_url = "${server.url}"
[conversation.title.generate]
auto = false
[conversation.tools.read_file]
source = "builtin"
run = "unattended"
`,
    )
    scratch.write('app/a.txt', 'the secret word is plum\n')
  })
  afterEach(async () => {
    endEditors()
    await server.close()
    scratch.remove()
  })

  it('D27, W24: an answer with thoughts and a tool call over the wire is streamed, and the next prompt brings the history', async () => {
    server.plays(
      {says: {reasoning: 'Hm. ', calls: [{id: 'toolu_1', name: 'read_file', arguments: {path: 'a.txt'}}]}},
      {says: {text: ['It is ', 'plum.']}},
      {says: {text: ['As I said.']}},
    )
    const editor = await openEditor(scratch, {env: {ANTHROPIC_API_KEY: 'sk-test-0123456789'}})
    const id = await editor.newSession(root)
    assert.equal((await editor.prompt(id, 'What is the word?')).stopReason, 'end_turn')
    assert.equal(textOf(editor.updates(id), 'agent_thought_chunk'), 'Hm. ')
    assert.equal(textOf(editor.updates(id)), 'It is plum.')
    await editor.prompt(id, 'Sure?')
    const messages = server.seen[2]?.body['messages'] as {role: string}[]
    assert.deepEqual(
      messages.map(({role}) => role),
      ['user', 'assistant', 'user', 'assistant', 'user'],
    )
    assert.match(JSON.stringify(messages[2]), /the secret word is plum/)
    await editor.close()
  })

  it('W24, W33: a refused key, and none at all, are errors of their own that hold no key; the session goes on', async () => {
    const key = 'sk-test-0123456789'
    server.plays({status: 401, body: {error: {type: 'authentication_error', message: `invalid x-api-key ${key}`}}})
    const editor = await openEditor(scratch, {env: {ANTHROPIC_API_KEY: key}})
    const id = await editor.newSession(root)
    const refused = await rpcErrorOf(editor.prompt(id, 'Hi.'))
    assert.equal((refused.data as {code: string}).code, 'provider_unauthorised')
    assert.ok(!editor.lines().some((line) => line.includes(key)))
    server.plays({says: {text: ['Hello.']}})
    assert.equal((await editor.prompt(id, 'Hi again.')).stopReason, 'end_turn')
    await editor.close()
    const keyless = await openEditor(scratch)
    const missing = await rpcErrorOf(keyless.prompt(await keyless.newSession(root), 'Hi.'))
    assert.equal((missing.data as {code: string}).code, 'provider_key_missing')
    assert.match(missing.message, /ANTHROPIC_API_KEY/)
    await keyless.close()
  })
})
