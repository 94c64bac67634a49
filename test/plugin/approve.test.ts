import assert from 'node:assert/strict'
import {appendFileSync, chmodSync, existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runJp} from '../support/jp.js'
import {createPluginFolder, type PluginFolder} from '../support/plugins.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('finding and approving plugins', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
  })
  afterEach(() => scratch.remove())

  const jp = (...args: string[]) => runJp(args, {cwd: scratch.path, env: plugins.env})
  const list = async () => JSON.parse((await jp('plugins', 'list', '--format', 'json')).stdout)
  const marker = () => join(scratch.path, 'it-ran')
  const marking = (): string => `touch ${marker()}`

  it('P3, P9, P15: the list and the help read manifests and run nothing; the shape is a contract (Q3)', async () => {
    const path = plugins.addShell('jp-notes', {command: ['notes']}, marking())
    plugins.addShell('jp-tree', {command: ['workspace', 'tree'], description: 'Draw\u202e it'}, marking())
    assert.deepEqual(await list(), [
      {
        name: 'notes',
        command: ['notes'],
        scope: 'single',
        protocol: 1,
        description: 'A plugin of a test',
        source: 'executable',
        package: null,
        version: null,
        path,
        approval: 'none',
        problem: null,
      },
      {
        name: 'tree',
        command: ['workspace', 'tree'],
        scope: 'single',
        protocol: 1,
        description: 'Draw\u202e it',
        source: 'executable',
        package: null,
        version: null,
        path: join(plugins.path, 'jp-tree'),
        approval: 'none',
        problem: null,
      },
    ])
    const root = await jp('--help')
    assert.match(root.stdout, /PLUGINS\n[\s\S]* {2}notes +A plugin of a test\n[\s\S]* {2}workspace tree +Draw it\n/)
    assert.match((await jp('workspace', '--help')).stdout, /PLUGINS\n {2}workspace tree +Draw it\n$/)
    assert.equal(existsSync(marker()), false)
  })

  it('P2, P29: only executables jp-<name> count, the plugin directory first, and one file found twice counts once', async () => {
    const shell = plugins.addShell('jp-notes', {command: ['notes']}, '')
    plugins.addShell('other', {command: ['other']}, '')
    plugins.addShell('jp-', {command: ['nothing']}, '')
    chmodSync(plugins.addShell('jp-data', {command: ['data']}, ''), 0o644)
    const own = join('home', '.local', 'share', 'jp', 'plugins', 'command', 'jp-own')
    chmodSync(scratch.write(own, readFileSync(shell)), 0o755)
    const env = {...plugins.env, PATH: `${plugins.env['PATH']}:${plugins.path}/.:.`}
    const run = await runJp(['plugins', 'list', '--format', 'json'], {cwd: plugins.path, env})
    assert.deepEqual(
      JSON.parse(run.stdout).map((plugin: {name: string}) => plugin.name),
      ['notes', 'own'],
    )
  })

  it('P10: approving needs no terminal and no flag, and runs nothing of a plugin with a manifest', async () => {
    const path = plugins.addShell('jp-notes', {command: ['notes']}, marking())
    const run = await jp('plugins', 'approve', path)
    assert.match(
      run.stdout,
      new RegExp(`^Approved notes \\(jp notes, scope single\\): ${path}, sha256 [0-9a-f]{64}\\.\n$`),
    )
    assert.deepEqual([run.stderr, run.code], ['', 0])
    assert.equal((await list())[0].approval, 'approved')
    assert.equal(existsSync(marker()), false)
    appendFileSync(path, '\n')
    assert.equal((await list())[0].approval, 'changed')
    assert.equal((await jp('plugins', 'approve', 'notes')).code, 0)
    assert.equal((await list())[0].approval, 'approved')
    assert.deepEqual(await jp('plugins', 'revoke', 'notes'), {
      stdout: 'Revoked notes: it will be asked about again.\n',
      stderr: '',
      code: 0,
    })
    assert.equal((await list())[0].approval, 'none')
    assert.equal((await jp('plugins', 'revoke', 'notes')).code, 3)
  })

  it('P10, S4: a file without a manifest is run to describe itself, and approving says so first', async () => {
    const answer = {
      type: 'describe',
      protocol: 1,
      description: 'Old',
      command: ['old'],
      name: 'old',
      version: '1',
      help: 'h',
    }
    const path = plugins.add(
      'jp-old',
      `#!/bin/sh\nread line\n[ "$line" = '{"type":"describe"}' ] && echo '${JSON.stringify(answer)}'\n`,
    )
    assert.match((await list())[0].problem, /It has no manifest/)
    const run = await jp('plugins', 'approve', 'old')
    assert.equal(run.stderr, `${path} has no manifest: running it to describe itself.\n`)
    assert.equal(run.code, 0)
    assert.deepEqual((await list())[0].command, ['old'])
  })

  it('P19: a describe that never comes is killed after 5 s, exit 7', async () => {
    plugins.add('jp-mute', `#!/bin/sh\nsleep 1000 &\nsleep 1000\n`)
    const run = await jp('plugins', 'approve', 'mute')
    assert.equal(run.code, 7)
    assert.match(run.stderr, /The plugin "mute" did not answer "describe" within 5 s\./)
  })

  for (const [what, file, manifest, code, message] of [
    ['a name of a built-in command', 'jp-help', {command: ['help']}, 4, /"jp help" is a built-in command/],
    ['a claim below a closed built-in', 'jp-x', {command: ['plugins', 'x']}, 4, /"jp plugins" is a built-in command/],
    ['an invalid manifest', 'jp-x', {command: []}, 7, /jp-x is invalid: "command" must be a list of words/],
    ['a later protocol', 'jp-x', {command: ['x'], protocol: 999, workspace_scope: 'single'}, 5, /needs protocol 999/],
    ['another prefix', 'notes', {command: ['notes']}, 2, /the name of its file must be jp-<name>/],
  ] as const) {
    it(`FR-39: ${what} is refused, with its reason, and nothing is written`, async () => {
      const path = plugins.addShell(file, manifest, marking())
      const run = await jp('plugins', 'approve', path)
      assert.match(run.stderr, message)
      assert.equal(run.code, code)
      assert.equal(existsSync(join(scratch.data, 'plugin-approvals.json')), false)
      assert.equal(existsSync(marker()), false)
    })
  }

  it('P12, FR-15: an unreadable store is kept, named, and approves nothing', async () => {
    const path = plugins.addShell('jp-notes', {command: ['notes']}, '')
    await jp('plugins', 'approve', path)
    const store = join(scratch.data, 'plugin-approvals.json')
    writeFileSync(store, '{"approved"')
    const run = await jp('plugins', 'list')
    assert.match(
      run.stderr,
      new RegExp(`^Warning: The approval store is unreadable and approves nothing\\. Can't read ${store}: `),
    )
    assert.equal((await list())[0].approval, 'none')
    assert.equal((await jp('plugins', 'approve', path)).code, 8)
    assert.equal(readFileSync(store, 'utf8'), '{"approved"')
  })

  it('P5, P12: the caches and the approvals are private to the user', async () => {
    await jp('plugins', 'approve', plugins.addShell('jp-notes', {command: ['notes']}, ''))
    assert.equal(statSync(join(scratch.data, 'plugin-approvals.json')).mode & 0o777, 0o600)
    assert.equal(statSync(join(scratch.home, '.cache', 'jp', 'plugins', 'bin')).mode & 0o777, 0o700)
  })

  it('P7: an unknown command suggests near built-ins and plugins, and the query for a question', async () => {
    plugins.addShell('jp-notes', {command: ['notes']}, marking())
    const note = await jp('nottes')
    assert.deepEqual(
      [note.code, note.stderr],
      [2, 'Error: There is no command "jp nottes".\n  Did you mean "jp notes"?\n'],
    )
    assert.match((await jp('plugns')).stderr, /Did you mean "jp plugins"\?/)
    assert.match((await jp('why', 'is', 'this', 'slow')).stderr, /To ask the assistant: jp query 'why is this slow'/)
    assert.equal(existsSync(marker()), false)
  })
})
