import assert from 'node:assert/strict'
import {appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {repository} from '../support/jp.js'
import {withinMs} from '../support/pace.js'
import {openPackageBench, type PackageBench, sampleTarball} from '../support/packages.js'
import {startOnTerminal} from '../support/pty.js'
import {git} from '../support/scratch.js'
import {packageTarball} from '../support/tar.js'

describe('installing a package', () => {
  let bench: PackageBench
  beforeEach(async () => {
    bench = await openPackageBench()
  })
  afterEach(() => bench.close())

  const listed = async (): Promise<Record<string, unknown>[]> =>
    JSON.parse((await bench.jp('plugins', 'list', '--format', 'json')).stdout)
  const folders = (): string[] => readdirSync(bench.store).filter((name) => name !== 'index.json')
  const ran = (text = 'ran') => ({code: 0, stdout: `${text}\n`, stderr: ''})

  it('P15: from a tarball, with --yes: shown, approved, run; its JSON', async () => {
    const file = bench.tarball('jp-notes-1.0.0.tgz')
    const run = await bench.jp('plugins', 'install', file, '--yes', '--format', 'json')
    assert.equal(run.code, 0, run.stderr)
    const {integrity, path, ...rest} = JSON.parse(run.stdout)
    assert.deepEqual(rest, {
      package: 'jp-notes',
      version: '1.0.0',
      replaces: null,
      source: file,
      plugins: [{name: 'notes', protocol: 1, description: 'Take notes', command: ['notes'], workspace_scope: 'single'}],
    })
    assert.match(integrity, /^sha512-/)
    assert.ok(existsSync(join(path, 'main.js')))
    assert.deepEqual(await bench.jp('notes', 'a', '--b'), ran('ran a --b'))
    const [row] = await listed()
    assert.deepEqual(row, {
      name: 'notes',
      command: ['notes'],
      scope: 'single',
      protocol: 1,
      description: 'Take notes',
      source: 'package',
      package: 'jp-notes',
      version: '1.0.0',
      path,
      approval: 'approved',
      problem: null,
    })
    assert.match((await bench.jp('--help')).stdout, /PLUGINS\n[\s\S]* {2}notes +Take notes\n/)
  })

  it('P15: without a terminal and --yes nothing is installed, and the command that does is told', async () => {
    const file = bench.tarball('notes.tgz')
    const run = await bench.jp('plugins', 'install', file)
    assert.deepEqual([run.code, run.stdout], [5, ''])
    assert.match(run.stderr, new RegExp(`run: jp plugins install ${file} --yes\n$`))
    assert.deepEqual(await listed(), [])
    assert.deepEqual(readdirSync(bench.store), [])
  })

  it('P15: on a terminal: source, version, integrity, claim, scope and scripts are shown; n installs nothing, y does', async () => {
    const file = bench.tarball('notes.tgz', {fields: {scripts: {postinstall: 'touch /tmp/x', test: 'no'}}})
    const start = () => startOnTerminal(['plugins', 'install', file], {cwd: bench.root, env: bench.env, columns: 200})
    const no = start()
    await no.waitFor('Install jp-notes and let it run?')
    assert.ok(no.received.includes('Fetch the package'), 'Q7: the progress')
    for (const text of ['jp-notes 1.0.0', file, 'sha512-', 'jp notes', 'single', 'postinstall: jp never runs them'])
      assert.ok(no.received.includes(text), text)
    no.type('n\r')
    assert.equal(await no.exited, 5)
    assert.deepEqual(await listed(), [])
    const yes = start()
    await yes.waitFor('Install jp-notes and let it run?')
    yes.type('y\r')
    assert.equal(await yes.exited, 0, yes.received)
    assert.deepEqual(await bench.jp('notes'), ran())
  })

  it('P15: from a folder: what npm would pack, not a link to the folder; below 2 s on a machine at leisure', async () => {
    const folder = bench.folder('src/notes', {fields: {files: ['main.js']}, files: {'secret.txt': 'no'}})
    const start = performance.now()
    assert.equal((await bench.jp('plugins', 'install', folder, '--yes')).code, 0)
    const ms = performance.now() - start
    assert.ok(ms < withinMs(2000), `${ms} ms`)
    appendFileSync(join(folder, 'main.js'), 'broken(')
    assert.deepEqual(await bench.jp('notes'), ran())
    const [row] = await listed()
    assert.deepEqual(readdirSync(String(row?.['path'])).sort(), ['main.js', 'package.json'])
  })

  it('P15: by npm name, version, range and tag, scoped too; a deprecation is shown', async () => {
    const {registry} = bench
    registry.publish({tarball: sampleTarball({name: '@me/notes', version: '1.0.0', text: 'one'})})
    registry.publish({
      tarball: sampleTarball({name: '@me/notes', version: '1.2.0', text: 'two'}),
      deprecated: 'use\nbetter',
    })
    registry.publish({tarball: sampleTarball({name: '@me/notes', version: '2.0.0', text: 'three'}), tags: ['next']})
    for (const [spec, text] of [
      ['@me/notes@1.0.0', 'one'],
      ['@me/notes', 'two'],
      ['@me/notes@next', 'three'],
      ['@me/notes@^1', 'two'],
    ] as const) {
      const run = await bench.jp('plugins', 'install', spec, '--yes')
      assert.equal(run.code, 0, run.stderr)
      assert.equal(run.stderr.includes('deprecated: use better'), text === 'two')
      assert.deepEqual(await bench.jp('notes'), ran(text))
    }
    assert.equal((await listed()).length, 1)
  })

  it('P15: from git: a clone whose commit is shown, at a branch, tag or commit', async () => {
    const repository = bench.folder('repo', {text: 'from git'})
    const run = (...args: string[]) => git(repository, bench.env, ...args)
    run('init', '-q', '-b', 'main')
    run('add', '.')
    run('commit', '-q', '-m', 'one')
    run('tag', 'v1')
    bench.folder('repo', {text: 'later'})
    run('commit', '-q', '-am', 'two')
    for (const [ref, text] of [
      ['#v1', 'from git'],
      ['', 'later'],
    ] as const) {
      const got = await bench.jp('plugins', 'install', `git+file://${repository}${ref}`, '--yes')
      assert.equal(got.code, 0, got.stderr)
      assert.match(got.stderr, /\(commit [0-9a-f]{12}\)/)
      assert.deepEqual(await bench.jp('notes'), ran(text))
    }
  })

  it('P13, P16: dependencies come from the registry; a changed byte in one is a changed plugin and does not run', async () => {
    const {registry} = bench
    registry.publish({
      tarball: packageTarball({name: 'left', version: '1.0.0', main: 'i.js'}, {'i.js': 'module.exports="dep"'}),
    })
    const text = `console.log(JSON.stringify({type:'print',text:require('left')+'\\n'}));console.log('{"type":"exit","code":0}')`
    const file = bench.tarball('n.tgz', {fields: {dependencies: {left: '^1.0.0'}}, files: {'main.js': text}})
    const run = await bench.jp('plugins', 'install', file, '--yes')
    assert.equal(run.code, 0, run.stderr)
    assert.deepEqual(await bench.jp('notes'), ran('dep'))
    const [folder = ''] = folders()
    assert.deepEqual(readdirSync(join(bench.store, folder)), ['node_modules'])
    assert.deepEqual(readdirSync(join(bench.store, folder, 'node_modules')).sort(), ['jp-notes', 'left'])
    appendFileSync(join(bench.store, folder, 'node_modules', 'left', 'i.js'), ' ')
    const refused = await bench.jp('notes')
    assert.deepEqual([refused.code, refused.stdout], [5, ''])
    assert.match(refused.stderr, /changed since it was approved\.\n.*jp plugins approve notes\n/)
    assert.equal((await listed())[0]?.['approval'], 'changed')
    assert.equal((await bench.jp('plugins', 'approve', 'jp-notes')).code, 0)
    assert.deepEqual(await bench.jp('notes'), ran('dep'))
  })

  it('P10, P29: revoke, approve, pin and inspect take the name; a pinned package that changed is refused', async () => {
    await bench.jp('plugins', 'install', bench.tarball('n.tgz'), '--yes')
    assert.equal((await bench.jp('plugins', 'revoke', 'notes')).code, 0)
    assert.match((await bench.jp('notes')).stderr, /never approved\.\n.*jp plugins approve notes\n/)
    assert.equal((await bench.jp('plugins', 'approve', 'notes')).code, 0)
    const revoked = await bench.jp('plugins', 'revoke', 'jp-notes', '--json')
    assert.deepEqual(JSON.parse(revoked.stdout), {name: 'notes'})
    assert.equal((await bench.jp('plugins', 'revoke', 'jp-notes')).code, 3)
    assert.equal((await bench.jp('plugins', 'approve', 'jp-notes')).code, 0)
    assert.equal((await bench.jp('plugins', 'pin', 'jp-notes')).code, 0)
    assert.deepEqual(await bench.jp('notes'), ran())
    const shown = JSON.parse((await bench.jp('plugins', 'inspect', 'jp-notes', '--format', 'json')).stdout)
    assert.deepEqual([shown.name, shown.hosted, shown.sha256.length], ['notes', 'entry', 64])
    appendFileSync(join(shown.path, 'main.js'), ' ')
    const refused = await bench.jp('notes')
    assert.equal(refused.code, 5)
    assert.match(refused.stderr, /is not the pinned one/)
  })

  it('FR-36: installing by path overwrites no other entry, in any order and at once', async () => {
    const {registry} = bench
    registry.publish({tarball: sampleTarball({name: 'al', jp: {command: ['al']}, text: 'A'})})
    const b = bench.tarball('b.tgz', {name: 'b', jp: {command: ['b']}, text: 'B'})
    const c = bench.tarball('c.tgz', {name: 'c', jp: {command: ['c-c']}, text: 'C'})
    await bench.jp('plugins', 'install', 'al', '--yes')
    const runs = await Promise.all([b, c].map((spec) => bench.jp('plugins', 'install', spec, '--yes')))
    assert.deepEqual(
      runs.map(({code}) => code),
      [0, 0],
    )
    const rows = await listed()
    assert.deepEqual(
      rows.map(({name, approval}) => [name, approval]),
      [
        ['al', 'approved'],
        ['b', 'approved'],
        ['c-c', 'approved'],
      ],
    )
    const index = JSON.parse(readFileSync(join(bench.store, 'index.json'), 'utf8'))
    assert.deepEqual(
      Object.fromEntries(
        index.packages.map((entry: {name: string; source: {kind: string}}) => [entry.name, entry.source.kind]),
      ),
      {al: 'registry', b: 'file', c: 'file'},
    )
    assert.equal((await bench.jp('plugins', 'uninstall', 'b')).code, 0)
    assert.deepEqual(await Promise.all([bench.jp('al'), bench.jp('c-c')]), [ran('A'), ran('C')])
    assert.equal((await bench.jp('b')).code, 2)
    const mirror = JSON.parse(readFileSync(join(bench.scratch.data, 'package.json'), 'utf8'))
    assert.deepEqual(mirror.oclif.plugins.map(({name}: {name: string}) => name).sort(), ['al', 'c'])
  })

  for (const [what, sample, message, code] of [
    ['that claims a built-in command', {jp: {command: ['query']}}, /"jp query", which could never be reached/, 4],
    [
      'that claims a group that is closed',
      {jp: {command: ['plugins', 'more']}},
      /"jp plugins" is a built-in command/,
      4,
    ],
    ['without its entry', {jp: {entry: './gone.js'}}, /holds no such file/, 7],
    [
      'whose entry is not executable',
      {jp: {entry: './run'}, files: {run: '#!/bin/sh\n'}},
      /neither a Node module nor executable/,
      7,
    ],
    ['whose entry climbs', {jp: {entry: '../x.js'}}, /inside the package/, 7],
    ['for another system', {fields: {os: ['win32']}}, /is for win32; this machine is linux/, 5],
    ['for another processor', {fields: {cpu: ['!x64', '!arm64']}}, /this machine is/, 5],
    ['of a later protocol', {jp: {protocol: 99, workspace_scope: 'single'}}, /needs protocol 99/, 5],
    [
      'whose scopes disagree',
      {
        jp: {workspace_scope: 'single'},
        fields: {},
        files: {'oclif.manifest.json': '{"commands":{"notes:a":{"workspaceScope":"multi"}}}'},
      },
      /is "single", but workspaceScope of the command notes a is "multi"/,
      7,
    ],
    ['without a version', {version: 'new'}, /"version" is no version/, 7],
    ['whose name climbs', {name: '../../x'}, /"name" is no name/, 7],
  ] as const) {
    it(`FR-39: a package ${what} is refused before anything is written`, async () => {
      const run = await bench.jp('plugins', 'install', bench.tarball('p.tgz', sample), '--yes')
      assert.match(run.stderr, message)
      assert.deepEqual([run.code, run.stdout], [code, ''])
      assert.deepEqual(readdirSync(bench.store), [])
      assert.equal(existsSync(join(bench.scratch.data, 'plugin-approvals.json')), false)
    })
  }

  it('P28: tools that know oclif see the packages: its own list of user plugins reads ours', async () => {
    await bench.jp('plugins', 'install', bench.tarball('n.tgz'), '--yes')
    const {default: Plugins} = await import(
      pathToFileURL(join(repository, 'node_modules', '@oclif', 'plugin-plugins', 'lib', 'plugins.js')).href
    )
    const plugins = new Plugins({
      config: {dataDir: bench.scratch.data, pjson: {oclif: {}}, plugins: new Map(), bin: 'jp'},
    })
    assert.deepEqual(
      (await plugins.list()).map(({name, type}: {name: string; type: string}) => [name, type]),
      [['jp-notes', 'user']],
    )
  })

  it('FR-39: what was installed can be listed and removed, whatever became of it', async () => {
    await bench.jp('plugins', 'install', bench.tarball('n.tgz'), '--yes')
    const path = (await listed())[0]?.['path']
    writeFileSync(join(String(path), 'package.json'), '{"name": 5')
    const [row] = await listed()
    assert.match(String(row?.['problem']), /can't be read/)
    assert.equal((await bench.jp('c', 'ls')).code, 0)
    rmSync(String(path), {recursive: true})
    assert.equal((await listed()).length, 1)
    assert.equal((await bench.jp('plugins', 'uninstall', 'jp-notes')).code, 0)
    assert.deepEqual(readdirSync(bench.store), ['index.json'])
  })

  it('FR-39: a package that claims what another has is refused, and names it', async () => {
    await bench.jp('plugins', 'install', bench.tarball('n.tgz'), '--yes')
    const run = await bench.jp('plugins', 'install', bench.tarball('m.tgz', {name: 'other'}), '--yes')
    assert.equal(run.code, 4)
    assert.match(
      run.stderr,
      /claims "jp notes", and so does the package jp-notes\.\n.*jp plugins uninstall jp-notes\n$/,
    )
    assert.deepEqual(await bench.jp('notes'), ran())
  })
})
