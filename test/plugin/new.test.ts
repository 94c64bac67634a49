import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Init, ListedConversation, ListedWorkspace} from '../../plugins/sdk/src/client.js'
import {runAgainst} from '../../plugins/sdk/src/harness.js'
import {manifestLine, packageManifest} from '../../plugins/sdk/src/manifest.js'
import type {ToPluginOf} from '../../src/protocol/host-to-plugin.js'
import {openPackageBench, type PackageBench, publishOclif} from '../support/packages.js'

/** The types of the SDK are written by hand, since it is one file: these lines hold them against the protocol. */
const sameTypes: readonly [
  (message: ToPluginOf<'init'>) => object,
  (message: Init) => object,
  (data: ToPluginOf<'conversations'>['data']) => readonly object[],
] = [
  (message) =>
    ({args: message.args, format: message.output_format}) satisfies {args: Init['args']; format: Init['output_format']},
  (message) => ({workspace: message.workspace}) satisfies {workspace: ToPluginOf<'init'>['workspace'] | undefined},
  (data) =>
    data.map(({id, title, events_count, last_activated_at}) => ({
      id,
      title,
      events_count,
      last_activated_at,
    })) satisfies ListedConversation[],
]

describe('jp plugins new', () => {
  let bench: PackageBench
  beforeEach(async () => {
    bench = await openPackageBench()
  })
  afterEach(() => bench.close())

  const build = (folder: string): void =>
    void execFileSync(process.execPath, ['build.mjs'], {cwd: folder, stdio: 'ignore'})

  for (const language of ['typescript', 'shell'] as const)
    for (const scope of ['single', 'multi'] as const) {
      it(`P23: begins a working plugin in ${language}, ${scope}`, async () => {
        const run = await bench.jp(
          'plugins',
          'new',
          'hello',
          '--language',
          language,
          '--scope',
          scope,
          '--description',
          'Say "hi", it\'s fine',
        )
        assert.equal(run.code, 0, run.stderr)
        const folder = join(bench.root, 'hello')
        if (language === 'typescript') {
          build(folder)
          execFileSync(process.execPath, ['--test', 'test/main.test.ts'], {cwd: folder, stdio: 'ignore'})
        }
        assert.equal((await bench.jp('plugins', 'install', './hello', '--yes')).code, 0)
        await bench.jp('c', 'ls')
        const said = await bench.jp('hello')
        const things = scope === 'multi' ? 'workspaces' : 'conversations'
        assert.match(said.stdout, new RegExp(`^hello: [01] ${things}\n$`))
        assert.deepEqual([said.code, said.stderr], [0, ''])
        const [row] = JSON.parse((await bench.jp('plugins', 'list', '--format', 'json')).stdout)
        assert.deepEqual([row.scope, row.description], [scope, 'Say "hi", it\'s fine'])
        const help = await bench.jp('help', 'hello')
        assert.deepEqual([help.code, help.stderr], [0, ''])
        assert.match(help.stdout, /jp hello   tell how many/)
        assert.deepEqual(await bench.jp('hello', '--help'), help)
      })
    }

  it('P23, P1: begins a plugin of oclif commands, with the base class of the SDK, in both scopes', async () => {
    publishOclif(bench.registry)
    for (const [scope, things] of [
      ['single', 'conversations'],
      ['multi', 'workspaces'],
    ] as const) {
      const name = `hello-${scope}`
      assert.equal((await bench.jp('plugins', 'new', name, '--language', 'oclif', '--scope', scope)).code, 0)
      const installed = await bench.jp('plugins', 'install', `./${name}`, '--yes')
      assert.equal(installed.code, 0, installed.stderr)
      await bench.jp('c', 'ls')
      const said = await bench.jp(name)
      assert.match(said.stdout, new RegExp(`^${name}: [01] ${things}\n$`))
      assert.deepEqual([said.code, said.stderr], [0, ''])
      assert.match((await bench.jp('help', name)).stdout, /^Tell how many /)
    }
  })

  it('P23: refuses a name that is taken or impossible, and a folder that is there', async () => {
    for (const [name, message, code] of [
      ['query', /"jp query" is a built-in command/, 4],
      ['../up', /can't be the name/, 2],
      ['Loud', /can't be the name/, 2],
    ] as const) {
      const run = await bench.jp('plugins', 'new', name)
      assert.match(run.stderr, message)
      assert.equal(run.code, code)
    }
    bench.scratch.write('work/hello/mine.txt', 'x')
    assert.equal((await bench.jp('plugins', 'new', 'hello')).code, 5)
    assert.equal(existsSync(join(bench.root, 'hello', 'package.json')), false)
  })

  it('P23: the scaffold carries the client as a file, byte for byte, and names no package', async () => {
    await bench.jp('plugins', 'new', 'hello')
    const sdk = readFileSync(join(import.meta.dirname, '..', '..', 'plugins', 'sdk', 'src', 'client.ts'), 'utf8')
    assert.equal(readFileSync(join(bench.root, 'hello', 'src', 'jp.ts'), 'utf8'), sdk)
    const {dependencies, devDependencies} = JSON.parse(readFileSync(join(bench.root, 'hello', 'package.json'), 'utf8'))
    assert.deepEqual([dependencies, devDependencies], [undefined, undefined])
  })

  it('P23: the harness plays the host: answers, errors, exit codes', async () => {
    await bench.jp('plugins', 'new', 'hello')
    const folder = join(bench.root, 'hello')
    build(folder)
    const command = [process.execPath, join(folder, 'dist', 'main.js')] as const
    const conversations = [{id: 'jp-c1', title: null, last_activated_at: '', events_count: 0}]
    const good = await runAgainst({command: [...command], answer: () => ({type: 'conversations', data: conversations})})
    assert.deepEqual([good.printed, good.code], ['hello: 1 conversations\n', 0])
    assert.deepEqual(
      good.messages.map(({type}) => type),
      ['ready', 'list_conversations', 'print', 'exit'],
    )
    writeFileSync(
      join(folder, 'src', 'main.ts'),
      `import {connect, RequestError} from './jp.ts'
       const jp = await connect(3)
       try { await jp?.setTitle('jp-c1', 'x') } catch (error) {
         if (error instanceof RequestError) jp?.exit(4, error.code)
       }`,
    )
    build(folder)
    const refused = await runAgainst({command: [...command]})
    assert.deepEqual(refused.messages.at(-1), {type: 'exit', code: 4, reason: 'request_unknown'})
    assert.equal(sameTypes.length, 3)
    const listed: readonly ListedWorkspace[] = []
    assert.deepEqual(listed, [])
  })

  it('P23: the manifest builder writes what jp reads', () => {
    const fields = {protocol: 1, description: 'Two\nlines', command: ['a', 'b']}
    assert.equal(manifestLine(fields), 'jp-plugin/v1 {"protocol":1,"description":"Two\\nlines","command":["a","b"]}')
    assert.deepEqual(packageManifest(fields, './x.js'), {oclif: {jp: {...fields, entry: './x.js'}}})
  })
})
