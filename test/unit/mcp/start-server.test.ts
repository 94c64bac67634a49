import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {getEventListeners, once} from 'node:events'
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {JpError} from '../../../src/errors/jp-error.js'
import type {McpInstance} from '../../../src/mcp/instance.js'
import {createServerRecord} from '../../../src/mcp/leftovers.js'
import {createPool} from '../../../src/mcp/pool.js'
import type {McpServerSettings, ServerRequest} from '../../../src/mcp/server-settings.js'
import {startServer} from '../../../src/mcp/start-server.js'
import {toolsOf} from '../../../src/mcp/tools.js'
import {freePort} from '../../support/free-port.js'
import {repository} from '../../support/jp.js'
import {isRunning, until} from '../../support/processes.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const tiny = join(repository, 'test/fixtures/mcp/server.mjs')
const packaged = (name: string): string => join(repository, 'node_modules/@modelcontextprotocol', name, 'dist/index.js')
const never = new AbortController().signal

describe('MCP servers', () => {
  let scratch: Scratch
  let running: McpInstance[]
  let notices: string[]
  beforeEach(() => {
    scratch = createScratch()
    running = []
    notices = []
  })
  afterEach(async () => {
    await Promise.all(running.map((instance) => instance.stop()))
    scratch.remove()
  })

  const request = (args: readonly string[], more: Partial<McpServerSettings> = {}, env = {}): ServerRequest => ({
    name: 'tiny',
    settings: {type: 'stdio', command: process.execPath, arguments: args, ...more},
    spawnDir: scratch.path,
    env: {...scratch.env, ...env},
  })
  const deps = {version: '1.0.0', onNotice: (text: string) => notices.push(text)}
  const start = async (what: ServerRequest, signal = never): Promise<McpInstance> => {
    const instance = await startServer(what, signal, deps)
    running.push(instance)
    return instance
  }
  const startTiny = (...behaviour: readonly string[]): Promise<McpInstance> => start(request([tiny, ...behaviour]))
  const failure = async (promise: Promise<unknown>): Promise<JpError> => {
    const error: unknown = await promise.then(
      () => assert.fail('it did not fail'),
      (reason: unknown) => reason,
    )
    return error as JpError
  }
  const pidsIn = (file: string): number[] =>
    existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map(Number) : []

  it('W26, S33: server-everything over stdio lists and runs its tools and reads its resources', async () => {
    const instance = await start(request([packaged('server-everything'), 'stdio']))
    const tools = await instance.listTools(never)
    const echo = tools.find(({name}) => name === 'echo')
    assert.equal(echo?.inputSchema['type'], 'object')
    assert.deepEqual(await instance.callTool('echo', {message: 'hé 漢 🟢'}, never), {
      content: 'Echo: hé 漢 🟢',
      isError: false,
    })
    const wrong = await instance.callTool('echo', {}, never)
    assert.equal(wrong.isError, true)
    const image = tools.find(({name}) => /image/i.test(name))
    assert.match(
      (await instance.callTool(image?.name ?? '', {}, never)).content,
      /\[image, image\/png, \d+ bytes: not shown\]/,
    )
    const [resource] = await instance.readResource('demo://resource/dynamic/text/1', never)
    assert.ok(resource !== undefined && 'text' in resource)
    assert.match(resource.text, /Resource 1/)
    const missing = await failure(instance.readResource('demo://none', never))
    assert.equal(missing.code, 'mcp_failed')
    assert.match(missing.message, /^MCP server "tiny" refused the resource demo:\/\/none: /)
  })

  it('S16, S33: server-filesystem works in the checkout that it was leased for', async () => {
    scratch.write('work/a.txt', 'in the checkout')
    const filesystem = request([packaged('server-filesystem'), '.'])
    const instance = await start({...filesystem, spawnDir: scratch.folder('work')})
    const read = await instance.callTool('read_text_file', {path: join(scratch.path, 'work/a.txt')}, never)
    assert.deepEqual(read, {content: 'in the checkout', isError: false})
    const outside = await instance.callTool('read_text_file', {path: '/etc/hostname'}, never)
    assert.equal(outside.isError, true)
  })

  it('W26, S33, FR-47: server-everything over HTTP, with proxies set, and again after it went away', async () => {
    const port = await freePort()
    const serve = () => {
      const child = spawn(process.execPath, [packaged('server-everything'), 'streamableHttp'], {
        env: {...scratch.env, PORT: String(port)},
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      return {
        child,
        ready: new Promise<void>((resolve) =>
          child.stderr.on('data', (text) => /listening/i.test(String(text)) && resolve()),
        ),
      }
    }
    const first = serve()
    await first.ready
    const what: ServerRequest = {
      name: 'remote',
      settings: {type: 'http', url: `http://127.0.0.1:${port}/mcp`},
      spawnDir: scratch.path,
      env: {...scratch.env, HTTP_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1'},
    }
    const pool = createPool({starter: {start: (r, s) => startServer(r, s, deps)}, idleMs: 60_000, maxInstances: 2})
    try {
      const lease = await pool.lease([what], {signal: never})
      const echo = (await toolsOf(lease, never)).find(({name}) => name === 'echo')
      assert.equal((await echo?.call({message: 'there'}, never))?.content, 'Echo: there')
      first.child.kill('SIGKILL')
      const lost = await echo?.call({message: 'gone'}, never)
      assert.equal(lost?.isError, true)
      assert.match(lost?.content ?? '', /^MCP server "remote" did not answer the tool echo: /)
      lease.release()
      const second = serve()
      await second.ready
      const anew = await pool.lease([what], {signal: never})
      assert.equal(
        (await anew.servers[0]?.instance.callTool('echo', {message: 'again'}, never))?.content,
        'Echo: again',
      )
      anew.release()
      await pool.close()
      second.child.kill('SIGKILL')
    } finally {
      await pool.close()
      first.child.kill('SIGKILL')
    }
  })

  it('FR-31: an address where nobody listens, and one that wants a token, say so', async () => {
    const http = (more: Partial<McpServerSettings>): ServerRequest => ({
      ...request([]),
      settings: {type: 'http', url: 'http://127.0.0.1:1/mcp', ...more},
    })
    const refused = await failure(startServer(http({}), never, deps))
    assert.equal(refused.code, 'mcp_start_failed')
    assert.match(refused.message, /^MCP server "tiny" did not start: /)
    const token = await failure(startServer(http({bearer_token_env: 'TINY_TOKEN'}), never, deps))
    assert.equal(token.message, 'MCP server "tiny" wants a token: TINY_TOKEN is not set.')
    assert.equal(token.hint, 'export TINY_TOKEN=…')
  })

  it('FR-30: a server gets PATH, HOME and what is named, and nothing else of the environment', async () => {
    const canaries = {OPENAI_API_KEY: 'canary1', JP_X: 'canary2', FOO: '1', NODE_OPTIONS: ''}
    const dump = join(scratch.path, 'env.json')
    for (const variables of [[], ['FOO']]) {
      await start(request([tiny, `env=${dump}`], {variables}, canaries))
      const env = JSON.parse(readFileSync(dump, 'utf8')) as Record<string, string>
      assert.deepEqual(Object.keys(env).sort(), [...variables, 'HOME', 'PATH'])
      assert.equal(env['HOME'], scratch.home)
    }
  })

  it('Q27, FR-32: a server that writes byte by byte is understood', async () => {
    const instance = await startTiny('bytewise')
    const text = '—é漢🟢'.repeat(20)
    assert.equal((await instance.callTool('say', {text}, never)).content, text)
  })

  it('FR-33: a banner on stdout is told once, with its line, and passed over', async () => {
    const instance = await startTiny('banner')
    assert.equal((await instance.callTool('say', {text: 'x'}, never)).content, 'x')
    assert.deepEqual(notices, [
      'MCP server "tiny" wrote line 1, which is no message: "Starting…". It was passed over. Its logs belong on stderr.',
    ])
  })

  it('W18: megabytes go both ways', async () => {
    const instance = await startTiny()
    const text = 'é'.repeat(4 * 1024 * 1024)
    assert.equal((await instance.callTool('say', {text}, never)).content.length, text.length)
  })

  it('W26: an error of a tool and one of the protocol are results', async () => {
    const instance = await startTiny()
    assert.deepEqual(await instance.callTool('fail', {}, never), {content: 'it failed', isError: true})
    const unknown = await instance.callTool('none', {}, never)
    assert.equal(unknown.isError, true)
    assert.match(unknown.content, /no tool none/)
  })

  const broken: readonly [string, (path: string) => ServerRequest, RegExp][] = [
    ['exits with 0', () => request([tiny, 'exit=0']), /^MCP server "tiny" exited with code 0 before it answered\.$/],
    [
      'exits at once',
      () => ({...request([]), settings: {type: 'stdio', command: 'false'}}),
      /^MCP server "tiny" exited with code 1 before it answered\.$/,
    ],
    [
      'is not there',
      () => request([], {command: '/nonexistent'}),
      /^MCP server "tiny" did not start: Can't start \/nonexistent: no such file or folder\.$/,
    ],
    [
      'prints and exits',
      () => request([tiny, 'banner', 'exit=1']),
      /^MCP server "tiny" exited with code 1 before it answered\.$/,
    ],
    [
      'has a directory that is gone',
      (path) => ({...request([tiny]), spawnDir: join(path, 'gone')}),
      /^MCP server "tiny" did not start: /,
    ],
    [
      'is silent',
      () => request([tiny, 'silent'], {startup_timeout_secs: 0.3}),
      /^MCP server "tiny" did not answer within 0\.3 s\.$/,
    ],
  ]
  for (const [what, make, message] of broken) {
    it(`FR-31: a server that ${what} is an error with its name, and nothing is left of it`, async () => {
      const error = await failure(startServer(make(scratch.path), never, deps))
      assert.equal(error.code, 'mcp_start_failed')
      assert.match(error.message, message)
    })
  }

  it('FR-31, W33: the last lines of stderr are in the error, without the values that it was given', async () => {
    const what = request([tiny, 'stderr', 'exit=2'], {variables: ['SECRET_ONE']}, {SECRET_ONE: 'canary-canary'})
    const error = await failure(startServer(what, never, deps))
    const lines = Array.from({length: 10}, (_, index) => `line ${141 + index} [redacted SECRET_ONE]`)
    assert.equal(
      error.message,
      `MCP server "tiny" exited with code 2 before it answered. It wrote:\n${lines.join('\n')}`,
    )
    const kept = error.details['stderr']
    assert.ok(Array.isArray(kept))
    assert.deepEqual([kept.length, kept[0]], [100, 'line 51 [redacted SECRET_ONE]'])
  })

  it('FR-31: a server that dies in a call is a result with its last words, and the next call says so too', async () => {
    const pool = createPool({starter: {start: (r, s) => startServer(r, s, deps)}, idleMs: 60_000, maxInstances: 2})
    const lease = await pool.lease([request([tiny])], {signal: never})
    const [say] = await toolsOf(lease, never)
    const instance = lease.servers[0]?.instance
    const died = await failure(instance?.callTool('die', {}, never) ?? Promise.resolve())
    assert.equal(died.code, 'mcp_exited')
    assert.equal(
      died.message,
      'MCP server "tiny" exited with code 3 before it answered the tool die. It wrote:\ndying words',
    )
    assert.match(
      (await say?.call({text: 'x'}, never))?.content ?? '',
      /exited with code 3 before it answered the tool say/,
    )
    lease.release()
    const anew = await pool.lease([request([tiny])], {signal: never})
    assert.equal((await anew.servers[0]?.instance.callTool('say', {text: 'anew'}, never))?.content, 'anew')
    await pool.close()
  })

  it('W27: a call that is stopped tells the server, and the server is there for the next one', async () => {
    const seen = join(scratch.path, 'seen')
    const instance = await startTiny(`seen=${seen}`)
    const controller = new AbortController()
    const hanging = instance.callTool('hang', {}, controller.signal)
    await until(() => /tools\/call/.test(readFileSync(seen, 'utf8')), 'the call is there')
    controller.abort('enough')
    await assert.rejects(hanging, (reason) => reason === 'enough')
    assert.equal((await instance.callTool('say', {text: 'on'}, never)).content, 'on')
    assert.match(readFileSync(seen, 'utf8'), /notifications\/cancelled/)
  })

  it('S33: a start that is stopped leaves nothing', async () => {
    const pids = join(scratch.path, 'pids')
    const controller = new AbortController()
    const starting = startServer(request([tiny, 'silent', `pids=${pids}`]), controller.signal, deps)
    await until(() => pidsIn(pids).length === 1, 'the server runs')
    controller.abort('enough')
    await assert.rejects(starting, (reason) => reason === 'enough')
    await until(() => !pidsIn(pids).some(isRunning), 'the server is gone')
  })

  it('FR-29: stopping ends the wrapper, the server and a grandchild that ignores SIGTERM', async () => {
    const pids = join(scratch.path, 'pids')
    // A shell gives what it starts behind `&` no stdin of its own accord.
    const line = `exec 3<&0; "${process.execPath}" "${tiny}" grandchild deaf "pids=${pids}" <&3 & wait`
    const instance = await start({...request([]), settings: {type: 'stdio', command: 'sh', arguments: ['-c', line]}})
    await until(() => pidsIn(pids).length === 2, 'the grandchild runs')
    await instance.stop()
    await until(() => !pidsIn(pids).some(isRunning), 'all are gone')
  })

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`FR-29, Q28: after ${signal} of the host no server lives on`, async () => {
      const pids = join(scratch.path, 'pids')
      const script = `
        const {startServer} = await import('${join(repository, 'src/mcp/start-server.ts')}')
        const request = ${JSON.stringify(request([tiny, `pids=${pids}`]))}
        await startServer(request, new AbortController().signal, {version: '1', onNotice() {}})
        process.on('SIGTERM', () => process.exit(143))
        console.log('ready')
        setInterval(() => {}, 1000)
      `
      const hooks = join(repository, 'test/support/typescript-imports.mjs')
      const host = spawn(process.execPath, ['--import', hooks, '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise((resolve) => host.stdout.once('data', resolve))
      assert.deepEqual(pidsIn(pids).map(isRunning), [true])
      host.kill(signal)
      await until(() => !pidsIn(pids).some(isRunning), 'the server is gone')
    })
  }

  /** A host of a server, a process of its own, that notes what it starts in a folder. */
  const startHost = (folder: string, behaviour: readonly string[]) => {
    const script = `
      const {startServer} = await import('${join(repository, 'src/mcp/start-server.ts')}')
      const {createServerRecord} = await import('${join(repository, 'src/mcp/leftovers.ts')}')
      const request = ${JSON.stringify(request([tiny, ...behaviour]))}
      const record = createServerRecord('${folder}', process.pid)
      const starting = startServer(request, new AbortController().signal, {version: '1', onNotice() {}, record})
      setInterval(() => {}, 1000)
      await starting
    `
    const hooks = join(repository, 'test/support/typescript-imports.mjs')
    return spawn(process.execPath, ['--import', hooks, '--input-type=module', '-e', script], {stdio: 'ignore'})
  }
  const isNoted = (folder: string): boolean =>
    existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json'))

  it('FR-29: a server that outlives a killed host is told of and ended by the next one', async () => {
    const [pids, folder] = [join(scratch.path, 'pids'), join(scratch.path, 'state', 'mcp')]
    // The server ignores both the end of its stdin and SIGTERM.
    const host = startHost(folder, ['deaf', 'silent', `pids=${pids}`])
    const record = createServerRecord(folder, process.pid)
    await until(() => pidsIn(pids).length === 1 && isNoted(folder), 'the server runs')
    const [pid = assert.fail()] = pidsIn(pids)
    try {
      assert.deepEqual(record.leftovers(), [])
      host.kill('SIGKILL')
      await once(host, 'exit')
      assert.deepEqual(record.leftovers(), [{name: 'tiny', pid}])
      assert.equal(statSync(folder).mode & 0o777, 0o700)
      assert.deepEqual(await record.endLeftovers(), [{name: 'tiny', pid}])
      await until(() => !isRunning(pid), 'the server is gone')
    } finally {
      if (isRunning(pid)) process.kill(-pid, 'SIGKILL')
    }
    assert.deepEqual(record.leftovers(), [])
    assert.deepEqual(readdirSync(folder), [])
  })

  it('FR-29: what lives on of a server whose wrapper is gone is told of and ended by the next host', async () => {
    const [pids, folder] = [join(scratch.path, 'pids'), join(scratch.path, 'state', 'mcp')]
    // The wrapper hears the end of its stdin; its child holds the same pipes, hears nothing and ignores SIGTERM.
    const host = startHost(folder, ['grandchild', `pids=${pids}`])
    const record = createServerRecord(folder, process.pid)
    await until(() => pidsIn(pids).length === 2 && isNoted(folder), 'the server runs')
    const [wrapper = assert.fail(), left = assert.fail()] = pidsIn(pids)
    try {
      host.kill('SIGKILL')
      await once(host, 'exit')
      await until(() => !isRunning(wrapper), 'the wrapper ends')
      assert.deepEqual([isRunning(left), record.leftovers()], [true, [{name: 'tiny', pid: wrapper}]])
      assert.deepEqual(await record.endLeftovers(), [{name: 'tiny', pid: wrapper}])
      await until(() => !isRunning(left), 'its child is gone')
    } finally {
      if (isRunning(left)) process.kill(left, 'SIGKILL')
    }
    assert.deepEqual([record.leftovers(), readdirSync(folder)], [[], []])
  })

  it('FR-29: a group with the number of a server that was noted is left alone when it is not that server', async () => {
    const folder = join(scratch.path, 'state', 'mcp')
    mkdirSync(folder, {recursive: true})
    // As a daemon starts: its leader is gone, its group has the leader's number.
    const leader = spawn('sh', ['-c', 'sleep 30 & echo $!'], {detached: true, stdio: ['ignore', 'pipe', 'ignore']})
    const ended = once(leader, 'exit')
    const daemon = Number(String((await once(leader.stdout, 'data'))[0]))
    try {
      await ended
      const gone = {started: 'boot:1'}
      const note = {name: 'tiny', pid: leader.pid, ...gone, host: {pid: 1, ...gone}, streams: ['socket:[1]']}
      writeFileSync(join(folder, `${leader.pid}.json`), JSON.stringify(note))
      assert.deepEqual(await createServerRecord(folder, process.pid).endLeftovers(), [])
      assert.deepEqual([isRunning(daemon), readdirSync(folder)], [true, []])
    } finally {
      process.kill(daemon, 'SIGKILL')
    }
  })

  it('FR-29, Q29: servers that were stopped leave no note, no descriptor and no listener', async () => {
    const rounds = process.env['JP_SOAK'] === '1' ? 500 : 10
    const record = createServerRecord(join(scratch.path, 'mcp'), process.pid)
    const resources = (): string[] => process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout')
    const descriptors = (): number => readdirSync('/proc/self/fd').length
    const once = async (): Promise<void> => {
      const instance = await startServer(request([tiny]), never, {...deps, record})
      assert.equal((await instance.callTool('say', {text: 'x'}, never)).content, 'x')
      await instance.stop()
    }
    await once()
    const [before, open] = [resources(), descriptors()]
    for (let round = 0; round < rounds; round++) await once()
    await until(() => descriptors() <= open && resources().length <= before.length, 'everything is given back')
    assert.deepEqual(readdirSync(join(scratch.path, 'mcp')), [])
    assert.equal(getEventListeners(never, 'abort').length, 0)
  }).timeout(300_000)

  it('W30: a program whose sum is pinned must have it', async () => {
    const file = scratch.write('bin/server', '#!/bin/sh\nexit 0\n')
    const pinned = (value: string): ServerRequest => request([], {command: file, checksum: {value}})
    const error = await failure(startServer(pinned('00'), never, deps))
    assert.equal(error.code, 'mcp_checksum_mismatch')
    const [, got = ''] = /is ([0-9a-f]{64}), not 00\.$/.exec(error.message) ?? []
    assert.equal(error.hint, `If the change is meant: jp config set providers.mcp.tiny.checksum.value=${got}`)
    const passed = await failure(startServer(pinned(got.toUpperCase()), never, deps))
    assert.equal(passed.code, 'mcp_start_failed')
  })
})
