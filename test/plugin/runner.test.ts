import assert from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {openPackageBench, type PackageBench, publishOclif} from '../support/packages.js'
import {writeConversation} from '../support/plant-conversation.js'
import {packageTarball} from '../support/tar.js'

/** An ordinary oclif plugin: a topic with commands, flags, and what a class may do. */
const commands: Readonly<Record<string, string>> = {
  'commands/notes/add.js': `
    const {Command, Flags, Args} = require('@oclif/core')
    class Add extends Command {
      async run() {
        const {args, flags} = await this.parse(Add)
        if (flags.fail) this.error('it failed', {exit: 9})
        if (flags.quit) this.exit(4)
        this.warn('a warning')
        this.log('added %s %s', args.text, flags.tag ?? '-')
        return {text: args.text}
      }
    }
    Add.enableJsonFlag = true
    Add.summary = 'Add a note.'
    Add.args = {text: Args.string({required: true})}
    Add.flags = {tag: Flags.string({char: 't', summary: 'A tag.'}), fail: Flags.boolean(), quit: Flags.boolean()}
    module.exports = Add`,
  'commands/notes/list.js': `
    const {Command} = require('@oclif/core')
    module.exports = class List extends Command {
      static summary = 'List conversations.'
      static workspaceScope = 'SCOPE'
      async run() {
        const jp = globalThis[Symbol.for('jp.plugin.connection')]
        const at = jp.init.workspace ? undefined : (({id, roots}) => ({id, root: roots[0].path}))((await jp.listWorkspaces())[0])
        for (const {id} of await jp.listConversations(at)) this.log(id)
        process.stdout.write(process.argv.slice(1).join(' ') + '\\n')
      }
    }`,
}

const oclifTarball = (scope: 'single' | 'multi', oclif: object, manifest: object | undefined): Buffer =>
  packageTarball(
    {
      name: 'notes-plugin',
      version: '1.0.0',
      description: 'Notes',
      dependencies: {'@oclif/core': '*'},
      oclif: {commands: './commands', topicSeparator: ' ', topics: {notes: {description: 'Keep notes'}}, ...oclif},
    },
    {
      ...Object.fromEntries(Object.entries(commands).map(([path, text]) => [path, text.replace('SCOPE', scope)])),
      ...(manifest === undefined ? {} : {'oclif.manifest.json': JSON.stringify(manifest)}),
    },
  )

/** The manifest that oclif would generate, as far as jp and oclif read it. */
const manifestOf = (scope?: string) => ({
  version: '1.0.0',
  commands: Object.fromEntries(
    ['add', 'list'].map((name) => [
      `notes:${name}`,
      {
        id: `notes:${name}`,
        aliases: [],
        args: name === 'add' ? {text: {name: 'text', required: true}} : {},
        flags: name === 'add' ? {tag: {name: 'tag', char: 't', type: 'option', summary: 'A tag.'}} : {},
        summary: name === 'add' ? 'Add a note.' : 'List conversations.',
        pluginName: 'notes-plugin',
        pluginType: 'core',
        isESM: false,
        relativePath: ['commands', 'notes', `${name}.js`],
        ...(scope === undefined || name !== 'list' ? {} : {workspaceScope: scope}),
      },
    ]),
  ),
})

describe('a package of oclif commands', () => {
  let bench: PackageBench
  before(async () => {
    bench = await openPackageBench()
    publishOclif(bench.registry)
    const silo = join(bench.scratch.data, 'workspace', 'work-abcde')
    writeConversation(silo, '17567136000', {
      events: [{timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'hi'}],
    })
    await bench.jp('c', 'ls')
  })
  after(() => bench.close())

  const install = async (tarball: Buffer): Promise<void> => {
    bench.registry.publish({tarball})
    const run = await bench.jp('plugins', 'install', 'notes-plugin', '--yes')
    assert.equal(run.code, 0, run.stderr)
  }

  it('P1, P23: an ordinary one, without oclif.jp: from the registry, hosted in a process of its own', async () => {
    await install(oclifTarball('single', {}, manifestOf()))
    const added = await bench.jp('notes', 'add', 'milk', '-t', 'shop')
    assert.deepEqual(added, {code: 0, stdout: 'added milk shop\n', stderr: added.stderr})
    assert.match(added.stderr, /Warning: a warning/)
    assert.deepEqual(await bench.jp('notes', 'list'), {code: 0, stdout: 'jp-c17567136000\njp notes list\n', stderr: ''})
    const [row] = JSON.parse((await bench.jp('plugins', 'list', '--format', 'json')).stdout)
    assert.deepEqual(
      [row.name, row.command, row.scope, row.protocol, row.description],
      ['notes', ['notes'], 'single', 12, 'Keep notes'],
    )
    assert.match((await bench.jp('--help')).stdout, /PLUGINS\n[\s\S]* {2}notes +Keep notes\n/)
  })

  it('P1: its help, its flags, its exit codes and its errors', async () => {
    const topic = await bench.jp('notes', '--help')
    assert.equal(topic.code, 0, topic.stderr)
    assert.match(topic.stdout, / notes add {3}Add a note\.\n {2}notes list {2}List/)
    assert.equal((await bench.jp('notes')).stdout, topic.stdout)
    assert.match((await bench.jp('help', 'notes')).stdout, / notes add {3}Add a note\./)
    assert.match((await bench.jp('notes', 'add', '--help')).stdout, /\$ jp notes add TEXT .*\n[\s\S]*-t, --tag=<value>/)
    assert.deepEqual(await bench.jp('notes', 'add', 'x', '--fail'), {code: 9, stdout: '', stderr: 'Error: it failed\n'})
    assert.equal((await bench.jp('notes', 'add', 'x', '--quit')).code, 4)
    const usage = await bench.jp('notes', 'add')
    assert.equal(usage.code, 2)
    assert.match(usage.stderr, /^Error: Missing 1 required arg:\ntext/)
    assert.deepEqual(await bench.jp('notes', 'bad'), {
      code: 2,
      stdout: '',
      stderr: 'Error: There is no command "jp notes bad". See: jp notes --help\n',
    })
    assert.deepEqual(JSON.parse((await bench.jp('--format', 'json', 'notes', 'add', 'x')).stdout), {text: 'x'})
  })

  it('P1, S12: multi, declared flat and on a class: the client names checkouts; places that disagree are refused', async () => {
    await install(oclifTarball('multi', {workspace_scope: 'multi'}, manifestOf('multi')))
    assert.deepEqual(await bench.jp('notes', 'list'), {code: 0, stdout: 'jp-c17567136000\njp notes list\n', stderr: ''})
    await install(
      oclifTarball(
        'multi',
        {jp: {protocol: 12, workspace_scope: 'single', description: 'N', command: ['notes']}},
        undefined,
      ),
    )
    const run = await bench.jp('notes', 'list')
    assert.equal(run.code, 7)
    assert.match(run.stderr, /"notes list" is written for the scope multi, and its package states single/)
  })

  it('P28: no oclif option makes jp load a class: nothing is imported by list, help, completion and inspect', async () => {
    const mark = join(bench.scratch.path, 'loaded')
    const {name} = {name: 'notes-plugin'}
    const evil = `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`
    await install(
      packageTarball(
        {name, version: '1.0.0', oclif: {commands: './commands', hooks: {init: './hook.js'}}},
        {'commands/notes/x.js': evil, 'hook.js': evil, 'oclif.manifest.json': JSON.stringify(manifestOf())},
      ),
    )
    for (const words of [
      ['plugins', 'list'],
      ['plugins', 'inspect', 'notes'],
      ['--help'],
      ['__complete', 'no'],
      ['c', 'ls'],
    ])
      await bench.jp(...words)
    assert.equal(existsSync(mark), false)
  })
})
