import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {readLayers} from '../../../src/config/layers.js'
import {type ConfigScratch, createConfigScratch} from '../../support/config.js'

describe('config/extends', () => {
  let at: ConfigScratch
  beforeEach(() => {
    at = createConfigScratch()
  })
  afterEach(() => at.remove())

  it('W13: what a file extends lies below it, or over it with "after", from its own folder, recursively', async () => {
    at.write(
      'app/.jp/config.toml',
      'extends = ["parts/a.toml", {path = "parts/b.toml", strategy = "after"}]\nassistant.name = "own"\nuser.name = "own"\n',
    )
    at.write('app/.jp/parts/a.toml', 'extends = ["deep/c.toml"]\nassistant.name = "a"\nassistant.tool_choice = "a"\n')
    at.write('app/.jp/parts/b.toml', 'user.name = "b"\n')
    at.write('app/.jp/parts/deep/c.toml', 'assistant.tool_choice = "c"\nstyle.markdown.theme = "c"\n')
    const {config} = await at.resolve()
    assert.deepEqual(
      [config.assistant.name, config.user.name, config.assistant.tool_choice, config.style.markdown.theme],
      ['own', 'b', 'a', 'c'],
    )
    const {layers} = await readLayers(at.place())
    assert.deepEqual(
      layers.map(({name}) => name.slice(at.root.length + 1)),
      ['.jp/parts/deep/c.toml', '.jp/parts/a.toml', '.jp/config.toml', '.jp/parts/b.toml'],
    )
  })

  it('W13: globs extend by what they match, in order, whatever the format; other files are left alone', async () => {
    at.write('app/.jp/config.toml', 'extends = ["tools/**/*"]\n')
    at.write('app/.jp/tools/b.toml', 'conversation.attachments = ["b"]\n')
    at.write('app/.jp/tools/a/a.yaml', 'conversation:\n  attachments: [a]\n')
    at.write('app/.jp/tools/README.md', 'not = = toml')
    assert.deepEqual((await at.resolve()).config.conversation.attachments, ['a', 'b'])
  })

  it('W13: a glob that matches the file itself is no circle', async () => {
    at.write('app/.jp/config.toml', 'extends = ["*.toml"]\nuser.name = "own"\n')
    at.write('app/.jp/other.toml', 'extends = ["*.toml"]\nassistant.name = "other"\n')
    const {config} = await at.resolve()
    assert.deepEqual([config.user.name, config.assistant.name], ['own', 'other'])
  })

  it('W13: a circle is an error that names it; a link does not hide it', async () => {
    at.write('app/.jp/config.toml', 'extends = ["a.toml"]\n')
    at.write('app/.jp/a.toml', 'extends = ["b.toml"]\n')
    symlinkSync('config.toml', join(at.root, '.jp', 'b.toml'))
    const path = join(at.root, '.jp')
    await assert.rejects(at.resolve(), {
      code: 'config_invalid',
      message: `Configuration files extend each other in a circle: ${path}/config.toml extends ${path}/a.toml extends ${path}/config.toml.`,
    })
  })

  it('W13: more than 255 files deep is an error', async () => {
    for (let index = 0; index < 257; index++) at.write(`app/.jp/f${index}.toml`, `extends = ["f${index + 1}.toml"]\n`)
    at.write('app/.jp/config.toml', 'extends = ["f0.toml"]\n')
    await assert.rejects(at.resolve(), {code: 'config_invalid'})
  })

  it('W13: a missing file is a warning with its place; a plain path tries its own ending, then the others', async () => {
    const file = at.write(
      'app/.jp/config.toml',
      'user.name = "x"\nextends = [\n  "parts/a",\n  "parts/b.toml",\n  "nothing",\n]\n',
    )
    at.write('app/.jp/parts/a.yaml', 'assistant: {name: a}\n')
    at.write('app/.jp/parts/b.json', '{"assistant": {"tool_choice": "b"}}')
    const {config, notices} = await at.resolve()
    assert.deepEqual([config.assistant.name, config.assistant.tool_choice], ['a', 'b'])
    assert.deepEqual(notices, [{kind: 'missing', text: `${file}:2 extends nothing, which does not exist.`}])
  })

  it('W16: a malformed file that is extended is named itself', async () => {
    at.write('app/.jp/config.toml', 'extends = ["a.toml"]\n')
    const file = at.write('app/.jp/a.toml', '\n[x\n')
    await assert.rejects(at.resolve(), (error: Error & {code?: string}) => {
      assert.equal(error.code, 'config_malformed')
      assert.ok(error.message.startsWith(`${file}:2:`), error.message)
      return true
    })
  })

  it('W32: a checkout is not followed out of itself, by a path or by a link; a user may link where they like', async () => {
    at.write('outside.toml', 'user.name = "out"\n')
    at.write('app/.jp/config.toml', 'extends = ["../../outside.toml"]\n')
    await assert.rejects(at.resolve(), {code: 'file_refused'})
    at.write('app/.jp/config.toml', `extends = ["${at.path}/outside.toml"]\n`)
    await assert.rejects(at.resolve(), {code: 'file_refused'})
    at.write('app/.jp/config.toml', 'extends = ["linked.toml"]\n')
    symlinkSync(join(at.path, 'outside.toml'), join(at.root, '.jp', 'linked.toml'))
    await assert.rejects(at.resolve(), {code: 'file_refused'})
    at.write('app/.jp/config.toml', '')
    symlinkSync(join(at.path, 'outside.toml'), join(at.globalFolder, 'config.toml'))
    assert.equal((await at.resolve()).config.user.name, 'out')
  })

  it('W32: a FIFO or a folder in place of a file is refused without blocking', async () => {
    execFileSync('mkfifo', [join(at.root, '.jp', 'config.toml')])
    await assert.rejects(at.resolve(), {code: 'config_malformed'})
    at.folder('global/config.json')
    await assert.rejects(at.resolve({}, {checkoutRoot: undefined}), {code: 'config_malformed'})
  })

  it('W13: of two files with one name the first ending counts, and the other is mentioned', async () => {
    at.write('global/config.yaml', 'user: {name: yaml}\n')
    at.write('global/config.toml', 'user.name = "toml"\n')
    const {config, notices} = await at.resolve()
    assert.equal(config.user.name, 'toml')
    assert.deepEqual(
      notices.map(({kind}) => kind),
      ['shadowed'],
    )
  })
})
