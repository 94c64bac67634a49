import assert from 'node:assert/strict'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {readOwnSettings, rememberOwnSettings} from '../../../src/config/own-settings.js'
import {storedConfiguration, storedLayer} from '../../../src/config/stored.js'
import {valueAt} from '../../../src/config/value.js'
import {parseConversationId} from '../../../src/platform/id-grammar.js'
import {type ConfigScratch, createConfigScratch} from '../../support/config.js'
import {sharedFolder} from '../../support/jp.js'

describe('config/stored', () => {
  let at: ConfigScratch
  beforeEach(() => {
    at = createConfigScratch()
  })
  afterEach(() => at.remove())

  it('facts 2.4: unknown keys are stripped structure by structure, not inside free tables; invalid counts as empty', () => {
    const base = {
      assistant: {name: 'a', gone: 1},
      template: {values: {any: {thing: 1}}},
      conversation: {tools: {x: {source: 'builtin', gone: true}}},
      mystery: {},
    }
    assert.deepEqual(storedLayer(base), {
      assistant: {name: 'a'},
      template: {values: {any: {thing: 1}}},
      conversation: {tools: {x: {source: 'builtin'}}},
    })
    assert.deepEqual(storedLayer({assistant: {name: 1}, user: {name: 'x'}}), {})
    for (const nonsense of [undefined, null, 3, 'x', [1], {assistant: 'x'}]) assert.deepEqual(storedLayer(nonsense), {})
  })

  it('facts 2.4: a conversation is its base with every delta in order', () => {
    const stored = storedConfiguration(
      {assistant: {instructions: {value: [{title: 'a'}], strategy: 'replace', discard_when_merged: false}}},
      [{assistant: {instructions: [{title: 'b'}]}}, {assistant: {name: 'x'}}, {assistant: {name: null}}],
    )
    assert.deepEqual(stored, {assistant: {instructions: [{title: 'a'}, {title: 'b'}]}})
  })

  it('facts 2.4: what is stored is whole, says that its lists replace, and gives the same configuration again', async () => {
    at.write(
      'app/.jp/config.toml',
      'conversation.attachments = ["a.md"]\nconversation.tools.x.run = "deny"\nproviders.llm.aliases.e = "echo/echo"\nassistant.model.id = "e"\nserve.env.A = "secret"\n',
    )
    const {baseConfig, config} = await at.resolve({trusted: true})
    assert.deepEqual(valueAt(baseConfig, ['conversation', 'attachments']), {
      value: ['a.md'],
      strategy: 'replace',
      discard_when_merged: false,
    })
    assert.equal(valueAt(baseConfig, ['conversation', 'tools', 'x', 'run']), 'skip')
    assert.equal(valueAt(baseConfig, ['assistant', 'model', 'id']), 'e')
    assert.equal(valueAt(baseConfig, ['serve']), undefined)
    const again = await at.resolve({trusted: true, conversation: {base: baseConfig, deltas: []}})
    assert.deepEqual(again.config, config)
    assert.equal(again.delta, undefined)
  })

  it('facts 12.32: a delta holds what --cfg changed and nothing else', async () => {
    const base = (await at.resolve({cfg: ['conversation.attachments=a.md']})).baseConfig
    const conversation = {base, deltas: []}
    const {delta} = await at.resolve({conversation, cfg: ['conversation.attachments+=b.md', 'user.name=Ann']})
    assert.deepEqual(delta, {conversation: {attachments: ['b.md']}, user: {name: 'Ann'}})
    const continued = {base, deltas: [delta]}
    assert.equal((await at.resolve({conversation: continued, cfg: ['user.name=Ann']})).delta, undefined)
    const reset = (await at.resolve({conversation: continued, cfg: ['NONE']})).delta
    assert.deepEqual(reset, {
      conversation: {attachments: {value: [], strategy: 'replace', discard_when_merged: false}},
      user: {name: null},
    })
  })

  it('facts 2.4: the stored configuration of every real conversation is read whole', function () {
    const shared = sharedFolder()
    if (shared === undefined) return this.skip()
    const folder = join(shared, 'fixtures', 'real-workspace', '.jp', 'conversations')
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'))
    const json = (file: string): unknown => {
      try {
        return JSON.parse(readFileSync(file, 'utf8'))
      } catch {
        return undefined
      }
    }
    for (const name of names) {
      const events = json(join(folder, name, 'events.json')) as {type: string; delta?: unknown}[]
      const deltas = events.filter(({type}) => type === 'config_delta').map(({delta, ...old}) => delta ?? old)
      const stored = storedConfiguration(json(join(folder, name, 'base_config.json')), deltas)
      assert.notEqual(valueAt(stored, ['assistant', 'model', 'id']), undefined, name)
      assert.notEqual(valueAt(stored, ['conversation', 'tools', '*', 'run']), undefined, name)
    }
  })

  it('W30: guarded settings of a stored conversation count only when a trusted layer or the user gave them', async () => {
    const evil = {editor: {cmd: 'touch mark'}, conversation: {tools: {x: {source: 'local', command: 'touch mark'}}}}
    const hostile = await at.resolve({conversation: {base: evil, deltas: []}})
    assert.deepEqual(
      [hostile.config.editor.cmd, hostile.config.conversation.tools['x']?.command],
      [undefined, undefined],
    )
    assert.deepEqual(
      hostile.notices.map(({kind}) => kind),
      ['stored'],
    )
    at.write('global/config.toml', 'editor.cmd = "touch mark"\n')
    const own = await at.resolve({conversation: {base: {editor: {cmd: 'touch mark'}}, deltas: []}})
    assert.deepEqual([own.config.editor.cmd, own.notices], ['touch mark', []])
  })

  it('W30: what the user gave a conversation with --cfg is remembered for it, in the user-local store', async () => {
    const id = parseConversationId('jp-c17000000000')
    const other = parseConversationId('jp-c17000000001')
    assert.ok(id !== undefined && other !== undefined)
    const created = await at.resolve({
      cfg: ['conversation.tools.x.run=unattended', 'providers.mcp.m:={"command": "m"}'],
    })
    rememberOwnSettings(at.silo, id, created)
    const continueAs = async (name: typeof id): Promise<unknown> => {
      const own = readOwnSettings(at.silo, name)
      const {config} = await at.resolve({conversation: {base: created.baseConfig, deltas: [], own}})
      return [config.conversation.tools['x']?.run, config.providers.mcp['m']?.command]
    }
    assert.deepEqual(await continueAs(id), ['unattended', 'm'])
    assert.deepEqual(await continueAs(other), [undefined, undefined])
    const conversation = {base: created.baseConfig, deltas: [], own: readOwnSettings(at.silo, other)}
    rememberOwnSettings(at.silo, other, await at.resolve({conversation}))
    assert.deepEqual(await continueAs(other), [undefined, undefined])
  })
})
