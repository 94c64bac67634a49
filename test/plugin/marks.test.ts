import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {chmodSync, existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {repository, runJp} from '../support/jp.js'
import {openPackageBench, type PackageBench} from '../support/packages.js'
import {startOnTerminal} from '../support/pty.js'
import {packageTarball} from '../support/tar.js'

const lifecycle = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'prepack',
  'postpack',
  'preuninstall',
  'uninstall',
  'postuninstall',
  'dependencies',
  'build',
]
const hooks = [
  'init',
  'prerun',
  'postrun',
  'finally',
  'preparse',
  'command_not_found',
  'command_incomplete',
  'jit_plugin_not_installed',
  'preupdate',
  'update',
  'plugins:preinstall',
  'plugins:postinstall',
  'plugins:postuninstall',
]

/** A package that leaves a file in `marks` for every way in which code of it could run. */
const marking = (marks: string, version: string, dependencies: Readonly<Record<string, string>>) => {
  const mark = (what: string): string =>
    `require('node:fs').writeFileSync(${JSON.stringify(`${marks}/`)} + ${JSON.stringify(what.replaceAll(':', '-'))}, '')\n`
  const shell = (what: string): string => `touch ${marks}/script-${what}`
  const command = `${mark('command module')}module.exports = class { static id = 'evil:run'; static run() { ${mark('command run')} } }`
  return {
    manifest: {
      name: 'evil',
      version,
      description: 'Leaves marks',
      main: 'main.js',
      bin: {evil: 'bin.js'},
      man: './evil.1',
      scripts: Object.fromEntries(lifecycle.map((name) => [name, shell(name)])),
      dependencies,
      oclif: {
        commands: './commands',
        hooks: Object.fromEntries(hooks.map((name) => [name, './hook.js'])),
        helpClass: './help.js',
        plugins: ['evil-dep'],
      },
    },
    files: {
      'main.js': mark('main'),
      'bin.js': mark('bin'),
      'hook.js': `${mark('hook module')}module.exports = async () => { ${mark('hook run')} }`,
      'help.js': mark('help class'),
      'commands/evil/run.js': command,
      'index.js': mark('index'),
      'oclif.config.js': mark('oclif.config.js'),
      '.oclifrc.js': mark('.oclifrc.js'),
      '.oclifrc.cjs': mark('.oclifrc.cjs'),
      '.npmrc': `git=${marks}/../evil.sh\nscript-shell=${marks}/../evil.sh\nnode-options=--require ${marks}/../evil.js\nignore-scripts=false\nfoo=\${NPM_TOKEN}\n`,
      'binding.gyp': '{}',
      '.gitattributes': '* filter=evil\n',
      'npm-shrinkwrap.json': '{"lockfileVersion":3,"packages":{}}',
      'oclif.manifest.json': JSON.stringify({
        version,
        commands: {
          'evil:run': {
            id: 'evil:run',
            aliases: [],
            args: {},
            flags: {},
            pluginName: 'evil',
            isESM: false,
            relativePath: ['commands', 'evil', 'run.js'],
          },
        },
      }),
    },
  }
}

describe('a package that leaves a mark in every way', () => {
  let bench: PackageBench
  let marks: string
  beforeEach(async () => {
    bench = await openPackageBench()
    marks = bench.scratch.folder('marks')
    for (const name of ['evil.sh', 'evil.js']) {
      const text = name.endsWith('.sh')
        ? `#!/bin/sh\ntouch ${marks}/npmrc-sh\n`
        : `require('fs').writeFileSync('${marks}/npmrc-js', '')`
      chmodSync(bench.scratch.write(name, text), 0o755)
    }
    const scripts = Object.fromEntries(lifecycle.map((name) => [name, `touch ${marks}/dependency-${name}`]))
    bench.registry.publish({
      tarball: packageTarball(
        {name: 'evil-dep', version: '1.0.0', scripts, oclif: {hooks: {init: './x.js'}}},
        {'x.js': `require('fs').writeFileSync('${marks}/dep-hook','')`, 'binding.gyp': '{}'},
      ),
    })
  })
  afterEach(() => bench.close())

  const env = () => ({...bench.env, npm_config_cache: join(bench.scratch.path, 'npm-cache')})
  const jp = (...args: string[]) => runJp(args, {cwd: bench.root, env: env(), timeoutMs: 110_000})
  const unmarked = (when: string): void => assert.deepEqual(readdirSync(marks), [], when)
  const publish = (version: string): void => {
    const {manifest, files} = marking(marks, version, {'evil-dep': '^1.0.0'})
    bench.registry.publish({tarball: packageTarball(manifest, files)})
  }

  it('P3, P16, P28: installed by name, tarball, folder and git, updated, linked, uninstalled: no mark', async () => {
    publish('1.0.0')
    const run = await jp('plugins', 'install', 'evil', '--yes')
    assert.equal(run.code, 0, run.stderr)
    assert.match(run.stderr, /preinstall, install, postinstall.*jp never runs them/)
    unmarked('install by name')
    publish('2.0.0')
    assert.equal((await jp('plugins', 'update', '--dry-run')).code, 0)
    const updated = await jp('plugins', 'update', 'evil', '--yes', '--format', 'json')
    assert.deepEqual(JSON.parse(updated.stdout), [{package: 'evil', state: 'updated', from: '1.0.0', to: '2.0.0'}])
    unmarked('update')
    const {manifest, files} = marking(marks, '3.0.0', {'evil-dep': '^1.0.0'})
    const folder = join(bench.scratch.path, 'folder')
    bench.scratch.write('folder/package.json', JSON.stringify(manifest))
    for (const [path, text] of Object.entries(files)) bench.scratch.write(`folder/${path}`, text)
    assert.equal((await jp('plugins', 'install', folder, '--yes')).code, 0)
    unmarked('install from a folder')
    const git = (...args: string[]) => execFileSync('git', args, {cwd: folder, env: {...bench.env}, stdio: 'ignore'})
    git('init', '-q')
    bench.scratch.write('folder/.git/hooks/post-checkout', `#!/bin/sh\ntouch ${marks}/git-hook\n`)
    git('add', '-A')
    git('commit', '-q', '-m', 'x')
    assert.equal((await jp('plugins', 'install', `git+file://${folder}`, '--yes')).code, 0)
    unmarked('install from git')
    const reset = await jp('plugins', 'reset', '--reinstall', '--yes', '--format', 'json')
    assert.deepEqual(JSON.parse(reset.stdout), {removed: [], installed: ['evil'], failed: []})
    unmarked('reset --reinstall')
    const link = startOnTerminal(['plugins', 'link', folder], {cwd: bench.root, env: env(), columns: 200})
    await link.waitFor('Link evil for development?')
    link.type('y\r')
    assert.equal(await link.exited, 0)
    assert.equal(JSON.parse((await jp('plugins', 'list', '--format', 'json')).stdout)[0].approval, 'dev')
    for (const words of [['list'], ['inspect', 'evil'], ['pin', 'evil'], ['approve', 'evil'], ['revoke', 'evil']])
      await jp('plugins', ...words)
    assert.equal((await jp('evil', 'run')).code, 5)
    assert.equal((await jp('plugins', 'uninstall', 'evil')).code, 0)
    assert.equal((await jp('plugins', 'reset', '--yes', '--hard')).code, 0)
    unmarked('link and uninstall')
    assert.ok(existsSync(join(folder, 'main.js')))
  })

  it('P16: a dependency from git or a URL is refused, and its code does not run', async () => {
    const {manifest, files} = marking(marks, '1.0.0', {other: `git+file://${bench.scratch.path}/none.git`})
    const run = await jp('plugins', 'install', bench.tarball('x.tgz', packageTarball(manifest, files)), '--yes')
    assert.notEqual(run.code, 0)
    assert.match(run.stderr, /depends on something that no registry has/)
    unmarked('git dependency')
    assert.deepEqual(readdirSync(bench.store), [])
  })

  it('P28: no command of jp runs anything of it, with or without its approval; an approved run alone does', async () => {
    publish('1.0.0')
    await jp('plugins', 'install', 'evil', '--yes')
    const {commands} = JSON.parse(readFileSync(join(repository, 'oclif.manifest.json'), 'utf8'))
    const ids = Object.keys(commands).map((id) => id.split(':'))
    const some = process.env['JP_SOAK'] === '1' ? ids : ids.filter(([first], at) => first === 'plugins' || at % 5 === 0)
    for (const words of some) await jp(...words, '--help')
    for (const words of [
      ['--help'],
      ['--version'],
      ['help', 'plugins'],
      ['__complete', 'ev'],
      ['__complete', 'evil', ''],
      ['c', 'ls'],
      ['w', 'ls'],
      ['config', 'show'],
      ['plugins'],
      ['plugins', 'list'],
      ['plugins', 'inspect', 'evil', '-v'],
      ['nothing'],
      ['plugins', 'nothing'],
    ])
      await jp(...words)
    unmarked('every command')
    await jp('plugins', 'revoke', 'evil')
    assert.equal((await jp('evil', 'run')).code, 5)
    assert.equal((await jp('evil', '--help')).code, 5)
    unmarked('a refused run')
    await jp('plugins', 'approve', 'evil')
    await jp('evil', 'run')
    assert.deepEqual(
      readdirSync(marks).filter(
        (name) => name.startsWith('script') || name.startsWith('dependency') || name.startsWith('npmrc'),
      ),
      [],
    )
    assert.ok(readdirSync(marks).includes('command module'))
  })
})
