import assert from 'node:assert/strict'
import {readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {childId} from '../../src/cli/command-table.js'
import {globalFlags} from '../../src/cli/global-flags.js'
import {repository, runJp} from '../support/jp.js'
import {openPackageBench, type PackageBench, sampleTarball} from '../support/packages.js'
import {startOnTerminal} from '../support/pty.js'
import {packageTarball} from '../support/tar.js'

type Manifest = {
  readonly commands: Readonly<
    Record<
      string,
      {readonly aliases?: readonly string[]; readonly flags: Readonly<Record<string, {name: string; char?: string}>>}
    >
  >
}
const manifestIn = (...folder: string[]): Manifest =>
  JSON.parse(readFileSync(join(repository, ...folder, 'oclif.manifest.json'), 'utf8'))

describe('jp plugins beside oclif’s own plugin commands', () => {
  let bench: PackageBench
  beforeEach(async () => {
    bench = await openPackageBench()
  })
  afterEach(() => bench.close())

  const sample = (name: string) => ({name, jp: {command: [name]}, text: name})
  const install = async (...names: string[]): Promise<void> => {
    const specs = names.map((name) => bench.tarball(`${name}.tgz`, sample(name)))
    const run = await bench.jp('plugins', 'install', ...specs, '--yes')
    assert.equal(run.code, 0, run.stderr)
  }
  const names = async (): Promise<string[]> =>
    JSON.parse((await bench.jp('plugins', 'list', '--format', 'json')).stdout).map((row: {name: string}) => row.name)

  it('P28: every id, alias, flag and letter of @oclif/plugin-plugins is one of jp', () => {
    const stock = manifestIn('node_modules', '@oclif', 'plugin-plugins').commands
    const ours = manifestIn().commands
    for (const [id, {aliases = [], flags}] of Object.entries(stock)) {
      assert.ok(ours[id], id)
      for (const alias of aliases) assert.equal(childId('plugins', alias.split(':')[1] ?? ''), id, alias)
      for (const {name, char} of Object.values(flags)) {
        // What argv.ts reads for every command.
        if (name === 'help' || name === 'json') continue
        const flag: {name: string; char?: string} | undefined =
          ours[id]?.flags[name] ?? globalFlags.find((global) => global.name === name)
        assert.ok(flag, `${id} --${name}`)
        assert.equal(flag.char, char, `${id} --${name}`)
      }
    }
  })

  it('P28: bare "jp plugins" is the list of oclif, drawn by its own class; --json its rows', async () => {
    await install('al', 'b')
    const folder = bench.folder('linked', sample('k'))
    const link = startOnTerminal(['plugins', 'link', folder, '--install'], {
      cwd: bench.root,
      env: bench.env,
      columns: 200,
    })
    await link.waitFor('Link k for development?')
    link.type('y\r')
    assert.equal(await link.exited, 0)
    assert.ok(
      link.received.includes(`Nothing was installed: npm would run scripts there. To do it yourself: cd ${folder}`),
    )
    bench.registry.publish({tarball: sampleTarball(sample('d')), tags: ['next']})
    await bench.jp('plugins', 'add', 'd@next', '--yes')
    const jit = ['checkouts', 'path', 'serve-web', 'titles'].map((name) => `jp-plugin-${name} 0.1.0\n`).join('')
    assert.deepEqual(await bench.jp('plugins'), {
      code: 0,
      stdout: `al 1.0.0\nb 1.0.0\nd 1.0.0 (next)\nk 1.0.0 (link) ${folder}\n\nUninstalled JIT Plugins:\n${jit}`,
      stderr: '',
    })
    const rows = JSON.parse((await bench.jp('plugin', '--json')).stdout)
    assert.deepEqual(
      rows.map(({name, type, version}: Record<string, string>) => [name, type, version].join(' ')),
      [
        'al user 1.0.0',
        'b user 1.0.0',
        'd user 1.0.0',
        'jp core 0.1.0',
        'k link 1.0.0',
        'jp-plugin-checkouts jit 0.1.0',
        'jp-plugin-path jit 0.1.0',
        'jp-plugin-serve-web jit 0.1.0',
        'jp-plugin-titles jit 0.1.0',
      ],
    )
    assert.equal((await bench.jp('plugins', 'nothing')).code, 2)
  })

  it('P28, P29: install, inspect and uninstall take several names; . and a tag are understood', async () => {
    await install('al', 'b', 'k')
    const inspected = JSON.parse((await bench.jp('plugins', 'inspect', 'al', 'b', '--json')).stdout)
    assert.deepEqual(
      inspected.map(({name}: {name: string}) => name),
      ['al', 'b'],
    )
    const here = {cwd: bench.folder('src', sample('k')), env: bench.env, timeoutMs: 90_000}
    assert.equal(JSON.parse((await runJp(['plugins', 'inspect', '--json'], here)).stdout).package, 'k')
    const none = await bench.jp('plugins', 'uninstall', 'al', 'nope')
    assert.deepEqual([none.code, none.stderr.split('\n')[0]], [3, 'Error: No package "nope" is installed.'])
    assert.deepEqual(await names(), ['al', 'b', 'k'])
    assert.equal(
      (await bench.jp('plugins', 'remove', 'al', 'b@latest')).stdout,
      'Removed al 1.0.0.\nRemoved b 1.0.0.\n',
    )
    assert.equal((await runJp(['plugins', 'unlink'], here)).stdout, 'Removed k 1.0.0.\n')
    assert.deepEqual(await names(), [])
  })

  it('P28: inspect tells the direct dependencies that a package has, without loading them', async () => {
    bench.registry.publish({
      tarball: packageTarball({name: 'left', version: '1.2.0', main: 'i.js'}, {'i.js': 'throw 1'}),
    })
    const fields = {dependencies: {left: '^1.0.0'}}
    await bench.jp('plugins', 'install', bench.tarball('al.tgz', {...sample('al'), fields}), '--yes')
    const {path, deps} = JSON.parse((await bench.jp('plugins', 'inspect', 'al', '--json')).stdout)
    const left = join(path, '..', 'left')
    assert.deepEqual(deps, {left: {from: '^1.0.0', version: '1.2.0', path: left}})
    assert.match((await bench.jp('plugins', 'inspect', 'al')).stdout, /\nDepends on +left \^1\.0\.0 => 1\.2\.0\n/)
    const verbose = await bench.jp('plugins', 'inspect', 'al', '-v')
    assert.ok(verbose.stdout.includes(`left ^1.0.0 => 1.2.0 ${left}\n`), verbose.stdout)
  })

  it('P28: --silent shows neither plan nor progress, -v traces npm, --jit takes official plugins alone', async () => {
    const file = bench.tarball('al.tgz', sample('al'))
    const silent = await bench.jp('plugins', 'install', file, '--yes', '-s')
    assert.deepEqual(silent, {code: 0, stdout: 'Installed al 1.0.0. It is run with: jp al\n', stderr: ''})
    assert.equal((await bench.jp('plugins', 'install', file, '-s', '-v')).code, 2)
    const jit = await bench.jp('plugins', 'install', file, '--jit', '--yes')
    assert.deepEqual([jit.code, jit.stdout], [2, ''])
    assert.equal((await bench.jp('plugins', 'install', 'path', '--jit', '-s', '--yes')).code, 0)
    bench.registry.publish({tarball: sampleTarball({...sample('al'), version: '2.0.0'})})
    const log = join(bench.scratch.path, 'trace.jsonl')
    await bench.jp('plugins', 'install', 'al', '--yes', '--log-file', log)
    assert.match(readFileSync(log, 'utf8'), /"plugin::npm".*npm view al@latest/)
  })

  it('P28: --force asks the registry again for what npm has; JP_NPM_REGISTRY names the registry', async () => {
    bench.registry.publish({tarball: packageTarball({name: 'left', version: '1.0.0'})})
    bench.registry.publish({tarball: sampleTarball({...sample('al'), fields: {dependencies: {left: '1.0.0'}}})})
    const env = {...bench.env, npm_config_registry: 'http://127.0.0.1:9/', JP_NPM_REGISTRY: bench.registry.url}
    const fetched = async (...flags: string[]): Promise<number> => {
      const before = bench.registry.requests.length
      const run = await runJp(['plugins', 'install', 'al', '--yes', ...flags], {
        cwd: bench.root,
        env,
        timeoutMs: 90_000,
      })
      assert.equal(run.code, 0, run.stderr)
      return bench.registry.requests.slice(before).filter((request) => request.endsWith('/left-1.0.0.tgz')).length
    }
    assert.ok((await fetched()) > 0)
    assert.equal(await fetched(), 0)
    assert.ok((await fetched('--force')) > 0)
  })

  it('P16, P28: reset --reinstall: what can’t be fetched stays as it was; reset without it removes all', async () => {
    await install('al', 'b')
    rmSync(join(bench.scratch.path, 'al.tgz'))
    bench.tarball('b.tgz', {...sample('b'), version: '2.0.0', text: 'new'})
    const run = await bench.jp('plugins', 'reset', '--reinstall', '--hard', '--yes', '--json')
    assert.equal(run.code, 3)
    assert.deepEqual(JSON.parse(run.stdout), {removed: [], installed: ['b'], failed: ['al']})
    assert.match(run.stderr, /al\.tgz/)
    assert.deepEqual([(await bench.jp('al')).stdout, (await bench.jp('b')).stdout], ['al\n', 'new\n'])
    assert.equal((await bench.jp('plugins', 'reset', '--yes')).stdout, 'Removed: al, b\n')
    assert.deepEqual(await names(), [])
    bench.scratch.write('home/.local/share/jp/plugins/packages/index.json', '{"pack')
    assert.equal((await bench.jp('plugins', 'reset', '--hard', '--yes')).stdout, 'Removed: none\n')
    assert.deepEqual(readdirSync(join(bench.store, '..')), [])
  })
})
