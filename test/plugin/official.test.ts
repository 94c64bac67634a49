import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {appendFileSync, existsSync, readdirSync, readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {runJp} from '../support/jp.js'
import {openPackageBench, type PackageBench, sampleTarball} from '../support/packages.js'
import {createPluginFolder} from '../support/plugins.js'
import {startOnTerminal} from '../support/pty.js'

describe('official plugins', () => {
  let bench: PackageBench
  beforeEach(async () => {
    bench = await openPackageBench()
  })
  afterEach(() => bench.close())

  const installing = 'Installing the official plugin "path" 0.1.0.\n'
  const list = async () => JSON.parse((await bench.jp('plugins', 'list', '--format', 'json')).stdout)

  it('P8, P10: one is installed on first use, offline, without a question and without an approval', async () => {
    await bench.registry.close()
    assert.deepEqual(await bench.jp('path', 'workspace'), {code: 0, stdout: `${bench.root}\n`, stderr: installing})
    assert.deepEqual(await bench.jp('path', 'workspace'), {code: 0, stdout: `${bench.root}\n`, stderr: ''})
    const [row] = await list()
    assert.deepEqual([row.name, row.approval, row.package], ['path', 'official', 'jp-plugin-path'])
    assert.equal(existsSync(join(bench.scratch.data, 'plugin-approvals.json')), false)
  })

  it('P8: its help is a first use too', async () => {
    const run = await bench.jp('help', 'path')
    assert.deepEqual([run.code, run.stderr], [0, installing])
    assert.match(run.stdout, /^jp path workspace +the root of this checkout\n/)
    assert.deepEqual(await bench.jp('help', 'path'), {...run, stderr: ''})
    assert.equal((await bench.jp('help', 'no', 'such')).code, 2)
  })

  it('P9: help lists what is not installed, and says so', async () => {
    assert.match(
      (await bench.jp('--help')).stdout,
      /PLUGINS\n[\s\S]* {2}path +Print the folders of jp \(not installed\)\n/,
    )
    await bench.jp('path', 'workspace')
    assert.match((await bench.jp('--help')).stdout, / {2}path +Print the folders of jp\n/)
  })

  it('P10, P13: a changed byte takes its standing: it is refused until it is approved', async () => {
    await bench.jp('path', 'workspace')
    const [{path}] = await list()
    appendFileSync(join(path, 'jp-path'), '\n')
    const run = await bench.jp('path', 'workspace')
    assert.equal(run.code, 5)
    assert.match(run.stderr, /was never approved/)
    assert.equal((await list())[0].approval, 'changed')
  })

  it('P10: deny stops an official plugin too; update says that it is current; uninstall removes it', async () => {
    await bench.jp('path', 'workspace')
    bench.scratch.write('home/.config/jp/config.toml', 'plugins.command.path.run = "deny"\n')
    assert.equal((await bench.jp('path', 'workspace')).code, 5)
    assert.deepEqual(JSON.parse((await bench.jp('plugins', 'update', '--format', 'json')).stdout), [
      {package: 'jp-plugin-path', state: 'current', from: '0.1.0', to: null},
    ])
    assert.equal((await bench.jp('plugins', 'uninstall', 'path')).code, 0)
    assert.deepEqual(readdirSync(bench.store), ['index.json'])
  })

  it('P6: a third party’s plugin replaces an official one, and the question says so', async () => {
    await bench.jp('path', 'workspace')
    const plugins = createPluginFolder(bench.scratch)
    plugins.addShell('jp-path', {command: ['path']}, 'read -r i; echo \'{"type":"exit","code":3}\'')
    const env = {...bench.env, PATH: `${plugins.path}:${bench.env['PATH']}`}
    const run = startOnTerminal(['path'], {cwd: bench.root, env, columns: 200})
    await run.waitFor('Run the plugin "path"?')
    assert.ok(run.received.includes('It replaces the official plugin "path".'), run.received)
    run.type('y')
    assert.equal(await run.exited, 3)
  })

  it('P7, P8: the registry is fetched for an unknown command, once a day, and offers what it knows', async () => {
    const asked: string[] = []
    const tarball = sampleTarball()
    bench.registry.publish({tarball})
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const entry = {
      type: 'command',
      description: 'Notes',
      official: false,
      package: 'jp-notes',
      version: '1.0.0',
      integrity,
    }
    const text = JSON.stringify({
      version: 1,
      plugins: {notes: entry, broken: {type: 'command'}, group: {type: 'command_group'}},
    })
    const server = createServer((request, response) => {
      asked.push(String(request.url))
      response.end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/plugins.json`
      const env = {...bench.env, JP_NO_PLUGIN_DOWNLOAD: undefined, JP_PLUGIN_REGISTRY_URL: url}
      const jp = (...args: string[]) => runJp(args, {cwd: bench.root, env, timeoutMs: 90_000})
      for (let turn = 0; turn < 2; turn++) {
        const run = await jp('notes', 'x')
        assert.equal(run.code, 2)
        assert.match(run.stderr, /There is no command "jp notes"\.\n[\s\S]*A plugin has it: jp plugins install notes\n/)
      }
      assert.deepEqual(asked, ['/plugins.json'])
      assert.equal(readFileSync(join(bench.scratch.data, 'registry.json'), 'utf8'), text)
      assert.equal((await jp('plugins', 'install', 'notes')).code, 5)
      assert.equal((await jp('plugins', 'install', 'notes', '--yes')).code, 0)
      assert.equal((await jp('notes')).stdout, 'ran\n')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('P8: JP_NO_PLUGIN_DOWNLOAD=1 fetches nothing; a registry that hangs costs two seconds, once', async () => {
    const asked: string[] = []
    const server = createServer((request) => void asked.push(String(request.url)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/plugins.json`
      const env = {...bench.env, JP_PLUGIN_REGISTRY_URL: url}
      assert.equal((await runJp(['nothing'], {cwd: bench.root, env})).code, 2)
      assert.deepEqual(asked, [])
      const free = {...env, JP_NO_PLUGIN_DOWNLOAD: undefined}
      assert.equal((await runJp(['nothing'], {cwd: bench.root, env: free})).code, 2)
      assert.equal((await runJp(['nothing'], {cwd: bench.root, env: free})).code, 2)
      assert.deepEqual(asked, ['/plugins.json'])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
