import assert from 'node:assert/strict'
import {join} from 'node:path'
import {type ConfigScratch, createConfigScratch} from '../../support/config.js'

describe('config/pipeline', () => {
  let at: ConfigScratch
  beforeEach(() => {
    at = createConfigScratch()
  })
  afterEach(() => at.remove())

  const nameOf = async (cfg: readonly string[] = [], env = {}): Promise<string | undefined> =>
    (await at.resolve({cfg}, {env})).config.assistant.name

  it('W13: layers lie over each other in order, each replacing the one before', async () => {
    assert.equal(await nameOf(), undefined)
    at.write('global/config.toml', 'assistant.name = "global"')
    assert.equal(await nameOf(), 'global')
    at.write('app/.jp/config.json', '{"assistant": {"name": "workspace"}}')
    assert.equal(await nameOf(), 'workspace')
    at.write('app/.jp.yaml', 'assistant:\n  name: directory\n')
    assert.equal(await nameOf(), 'directory')
    at.write('silo/config.json5', "{assistant: {name: 'silo'}} // a comment")
    assert.equal(await nameOf(), 'silo')
    assert.equal(await nameOf([], {JP_CFG_ASSISTANT_NAME: 'env'}), 'env')
    const conversation = {base: {assistant: {name: 'stored'}}, deltas: []}
    const env = {JP_CFG_ASSISTANT_NAME: 'env'}
    assert.equal((await at.resolve({conversation}, {env})).config.assistant.name, 'stored')
    const flags = await at.resolve({conversation, cfg: ['assistant.name=first', 'assistant.name=last']}, {env})
    assert.equal(flags.config.assistant.name, 'last')
  })

  it('W13: the chain of .jp files goes from the root down to the config cwd and no further', async () => {
    at.write('.jp.toml', 'user.name = "above the root"')
    at.write('app/.jp.toml', 'assistant.name = "top"\nstyle.code.color = false')
    at.write('app/src/deep/.jp.toml', 'assistant.name = "deep"')
    at.write('app/src/deep/deeper/.jp.toml', 'assistant.name = "deeper"')
    const {config} = await at.resolve({}, {configCwd: join(at.root, 'src', 'deep')})
    assert.deepEqual([config.assistant.name, config.style.code.color, config.user.name], ['deep', false, undefined])
  })

  it('W13: inherit = false cuts off the more general layers, but no plugin policy of the user', async () => {
    at.write('global/config.toml', 'assistant.name = "global"\nplugins.command.x.run = "deny"\nuser.name = "Ann"')
    at.write('silo/config.toml', 'inherit = false\nassistant.tool_choice = "none"')
    at.write('app/.jp/config.toml', 'user.name = "Bob"')
    const {config} = await at.resolve()
    assert.deepEqual(
      [config.assistant.name, config.user.name, config.assistant.tool_choice, config.plugins.command['x']?.run],
      [undefined, undefined, 'none', 'deny'],
    )
  })

  it('W13, W30: inherit = false of a checkout cuts off nothing that is guarded, trusted or not', async () => {
    at.write('global/config.toml', 'editor.cmd = "vim"\nuser.name = "Ann"\nconversation.tools.rm.run = "deny"')
    at.write('app/.jp/config.toml', 'inherit = false')
    for (const trusted of [false, true]) {
      const {config} = await at.resolve({trusted})
      assert.deepEqual(
        [config.editor.cmd, config.user.name, config.conversation.tools['rm']?.run],
        ['vim', undefined, 'deny'],
      )
    }
  })

  it('W16: a malformed file is an error with file, line and column in every format', async () => {
    const broken: readonly (readonly [string, string, RegExp])[] = [
      ['toml', 'a = 1\nx = = 1\n', /config\.toml:2:5: /],
      ['json', '{\n  "assistant": {,}\n}', /config\.json:2:17: Expected property name/],
      ['json5', '{\n  assistant: {name: x}\n}', /config\.json5:2:21: invalid character 'x'/],
      ['yaml', 'assistant:\n  name: [a\nb: 1\n', /config\.yaml:\d+:\d+: /],
    ]
    for (const [ending, text, message] of broken) {
      const file = at.write(`app/.jp/config.${ending}`, text)
      await assert.rejects(at.resolve(), (error: Error & {code?: string}) => {
        assert.equal(error.code, 'config_malformed')
        assert.match(error.message, message)
        return true
      })
      at.write(`app/.jp/config.${ending}`, '')
      assert.ok(file.startsWith(at.root))
      at.remove()
      at = createConfigScratch()
    }
  })

  it('W16: a value of the wrong type names the file, the line, the key and what it takes', async () => {
    const file = at.write('app/.jp/config.toml', '[style.code]\ncolor = "yes"\n')
    await assert.rejects(at.resolve(), {
      code: 'config_invalid',
      message: `${file}:2: style.code.color must be true or false, not "yes".`,
    })
  })

  it('W16: an unknown key of a file is a warning with the nearest key; below plugins it is an error', async () => {
    const file = at.write('app/.jp/config.toml', '# mine\n[assistant]\nnme = "x"\n')
    assert.deepEqual((await at.resolve()).notices, [
      {kind: 'unknown_key', text: `${file}:3: unknown key assistant.nme. Did you mean assistant.name?`},
    ])
    at.write('app/.jp/config.toml', '[plugins.command.x]\nrum = "deny"\n')
    await assert.rejects(at.resolve(), {
      code: 'config_invalid',
      message: `${file}:2: there is no configuration key plugins.command.x.rum.`,
      hint: 'Did you mean plugins.command.x.run?',
    })
  })

  it('W16: an unknown key in --cfg and in JP_CFG_* is an error with the nearest one', async () => {
    await assert.rejects(at.resolve({cfg: ['assistant.nme=x']}), {
      code: 'config_key_unknown',
      hint: 'Did you mean assistant.name?',
    })
    await assert.rejects(at.resolve({}, {env: {JP_CFG_ASSISTANT_NAMF: 'x'}}), {
      code: 'config_key_unknown',
      hint: 'Did you mean JP_CFG_ASSISTANT_NAME?',
    })
  })

  it('FR-10: a byte order mark and CRLF line ends read as if they were not there', async () => {
    at.write('app/.jp/config.toml', '\ufeff[assistant]\r\nname = "a"\r\n\r\n[user]\r\nname = "b"\r\n')
    const flagged = at.write('flag.json', '\ufeff{\r\n"assistant": {"tool_choice": "none"}}\r\n')
    const {config} = await at.resolve({cfg: [`@${flagged}`]})
    assert.deepEqual([config.assistant.name, config.user.name, config.assistant.tool_choice], ['a', 'b', 'none'])
  })

  it('FR-12: a key that would reach a prototype is an error everywhere and changes nothing', async () => {
    const cfgs = [
      '__proto__.run=unattended',
      'constructor.prototype.x=1',
      '{"__proto__": {"a": 1}}',
      'user:={"__proto__":1}',
    ]
    for (const cfg of cfgs) await assert.rejects(at.resolve({cfg: [cfg]}), {code: 'config_key_unknown'})
    const files: readonly (readonly [string, string])[] = [
      ['config.toml', '[__proto__]\ninherit = false\n'],
      ['config.toml', 'plugins.command.x.options.constructor.a = 1\n'],
      ['config.json', '{"plugins": {"command": {"x": {"options": {"__proto__": {"a": 1}}}}}}'],
      ['config.json5', '{__proto__: {inherit: false}}'],
      ['config.yaml', 'user:\n  prototype: 1\n'],
    ]
    for (const [name, text] of files) {
      at.write(`app/.jp/${name}`, text)
      await assert.rejects(at.resolve(), {code: 'config_invalid', hint: 'Remove it.'})
      at.remove()
      at = createConfigScratch()
    }
    assert.equal(Object.hasOwn(Object.prototype, 'inherit'), false)
  })
})
