import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import type {Trace} from '../../src/platform/trace.js'
import {exampleAgent} from '../support/daemon.js'
import {createDaemonClient, type DaemonTestClient} from '../support/daemon-client.js'
import {chunkOf} from '../support/event-reader.js'
import {repository} from '../support/jp.js'
import {descendantsOf} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {startServing, trust} from '../support/serving.js'

const canaries = (workspace: string, from: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({length: 15}, (_, at) => [
      `CANARY_${workspace}_${from}_${at}`,
      `canary-${workspace}-${from}-${at}-value`,
    ]),
  )

describe('jp serve: one workspace does not see another', () => {
  let scratch: Scratch
  let daemon: RunningDaemon
  let client: DaemonTestClient
  let log: string[]
  const cwdOf = (name: string): string => join(scratch.path, name)
  const writeSettings = (name: string, env: Readonly<Record<string, string>>): void => {
    const lines = Object.entries(env).map(([key, value]) => `${key} = "${value}"`)
    scratch.write(join(name, '.jp', 'config.toml'), `[serve.env]\n${lines.join('\n')}\n`)
  }
  const writeDotenv = (name: string, env: Readonly<Record<string, string>>): string =>
    scratch.write(
      join(name, '.env'),
      Object.entries(env)
        .map(([key, value]) => `${key}=${value}\n`)
        .join(''),
    )
  const trace: Trace = {write: (_, target, message, fields) => void log.push(JSON.stringify([target, message, fields]))}

  beforeEach(() => {
    scratch = createScratch()
    log = []
    for (const [name, id] of [
      ['a', 'aaaaa'],
      ['b', 'bbbbb'],
      ['u', 'uuuuu'],
    ] as const)
      scratch.checkout(name, id)
  })
  afterEach(async () => {
    await daemon.stop()
    scratch.remove()
  })

  const start = async (workspaces: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> => {
    daemon = await startServing(scratch, {workspaces, env, log: trace})
    client = createDaemonClient(daemon)
  }
  /** The environment of a workspace's agent, as it sees it. */
  const environmentOf = async (name: string): Promise<Record<string, string>> => {
    const session = await client.create(cwdOf(name))
    const reader = await client.read(session)
    await client.prompt(session, '[[env]]')
    const event = await reader.until((candidate) => chunkOf(candidate) !== '')
    reader.cut()
    return JSON.parse(chunkOf(event))
  }

  it('D8, D26: 15 canaries in .env and 15 in settings of each are seen by their own agent and by nobody else', async () => {
    trust(scratch, cwdOf('a'), cwdOf('b'))
    for (const name of ['a', 'b']) {
      writeDotenv(name, canaries(name, 'dotenv'))
      writeSettings(name, canaries(name, 'settings'))
    }
    const before = {...process.env}
    await start(['a', 'b'])
    const told: Record<string, string[]> = {a: [], b: []}
    for (const [own, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const env = await environmentOf(own)
      for (const [name, value] of Object.entries({...canaries(own, 'dotenv'), ...canaries(own, 'settings')})) {
        assert.equal(env[name], value)
      }
      assert.equal(JSON.stringify(env).includes(`canary-${other}`), false)
      const session = await client.create(cwdOf(own))
      for (const path of ['status', 'context', 'stats', 'hooks', 'supported-commands']) {
        told[own]?.push(JSON.stringify((await client.ask('GET', `/session/${session}/${path}`)).body))
      }
      told[own]?.push(await client.turn(session, '[[error]]'))
    }
    for (const path of ['/daemon/status?detail=full', '/capabilities', '/nowhere']) {
      told['a']?.push(JSON.stringify((await client.ask('GET', path)).body))
    }
    for (const text of [...(told['a'] ?? []), ...(told['b'] ?? [])]) assert.equal(text.includes('canary-'), false, text)
    assert.equal(log.join('\n').includes('canary-'), false)
    assert.deepEqual({...process.env}, before, 'the daemon’s own environment stays as it was')
  })

  it('D8, D26: of jp’s own agents no child, tool or MCP server of one workspace has a canary of the other', async () => {
    trust(scratch, cwdOf('a'), cwdOf('b'))
    const server = join(repository, 'test', 'fixtures', 'mcp', 'server.mjs')
    for (const name of ['a', 'b']) {
      writeDotenv(name, canaries(name, 'dotenv'))
      writeSettings(name, canaries(name, 'settings'))
    }
    const script = scratch.write(
      'script.json',
      JSON.stringify([
        {tool_call: {id: 'env', name: 'env', arguments: {}}},
        {tool_call: {id: 'who', name: 'who', arguments: {}}},
        {text: 'Done.'},
      ]),
    )
    daemon = await startServing(scratch, {workspaces: ['a', 'b'], own: true, log: trace, env: {JP_ECHO_SCRIPT: script}})
    client = createDaemonClient(daemon)
    scratch.write(
      'home/.config/jp/config.toml',
      `assistant.model.id = "echo/echo"
[providers.mcp.tiny]
command = ${JSON.stringify(process.execPath)}
arguments = ${JSON.stringify([server, 'name=tiny'])}
variables = ${JSON.stringify(Object.keys({...canaries('a', 'dotenv'), ...canaries('b', 'dotenv')}))}
[conversation.tools.who]
source = "mcp.tiny"
run = "unattended"
[conversation.tools.env]
source = "local"
run = "unattended"
command = {program = "env"}
`,
    )
    for (const [own, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const session = await client.create(cwdOf(own))
      assert.equal(await client.turn(session, 'go'), 'end_turn')
      const reader = await client.read(session, {lastEventId: 0})
      await reader.until(({type}) => type === 'replay_complete')
      reader.cut()
      const told = JSON.stringify(reader.events)
      assert.match(told, new RegExp(`PWD=${cwdOf(own)}`), 'the tool has told its environment')
      assert.equal(told.includes(`canary-${other}`), false)
      const agent = daemon.registry.byCwd(cwdOf(own))?.bridge.agentPid ?? 0
      const below = [agent, ...descendantsOf(agent)]
      assert.ok(below.length >= 2, 'the MCP server waits for its next turn')
      for (const pid of below) {
        const environ = readFileSync(`/proc/${pid}/environ`, 'utf8')
        assert.match(environ, new RegExp(`canary-${own}-dotenv-7-value`))
        assert.equal(environ.includes(`canary-${other}`), false, `process ${pid} of ${own}`)
      }
    }
    assert.equal(log.join('\n').includes('canary-'), false)
  })

  it('D26: a value of .env in the words of an agent is taken out before a client reads it', async () => {
    trust(scratch, cwdOf('a'))
    writeDotenv('a', {CANARY_A: 'a-value-of-some-length'})
    await start(['a'])
    const end = await client.turn(await client.create(cwdOf('a')), '[[error]]')
    await daemon.stop()
    daemon = await startServing(scratch, {
      workspaces: ['a'],
      flags: {agent: exampleAgent('--store', join(scratch.path, 'store'), '--fail-new', '1')},
    })
    const refused = await createDaemonClient(daemon).ask('POST', '/session', {})
    assert.deepEqual([refused.status, refused.body['code']], [502, 'agent_failed'])
    assert.match(refused.body['error'], /^Internal error: no session today in \[path\], \[redacted CANARY_A[^\]]*\]$/)
    assert.match(end, /^error: Internal error: it broke in \S+\/a\/x and \[path\], \[redacted CANARY_A[^\]]*\]$/)
  })

  it('D8, FR-41: neither loaders of the launcher nor another workspace’s path reach an agent; proxies and HOME do', async () => {
    trust(scratch, cwdOf('a'), cwdOf('b'))
    writeDotenv('a', {
      FOO: 'a-foo',
      HOME: '/evil',
      JP_USER_DATA_DIR: '/evil',
      NODE_OPTIONS: '--evil',
      HTTPS_PROXY: 'http://evil',
    })
    await start(['a', 'b'], {
      INIT_CWD: cwdOf('a'),
      BASH_ENV: '/nowhere.sh',
      LD_BIND_NOW: '1',
      HTTP_PROXY: 'http://127.0.0.1:9',
      PATH: `${cwdOf('a')}/bin:${process.env['PATH']}`,
      JP_SERVER_TOKEN: 'a-token-that-is-not-used',
    })
    const [a, b] = [await environmentOf('a'), await environmentOf('b')]
    assert.deepEqual([a['FOO'], b['FOO']], ['a-foo', undefined])
    for (const env of [a, b]) {
      for (const name of [
        'INIT_CWD',
        'BASH_ENV',
        'LD_BIND_NOW',
        'JP_SERVER_TOKEN',
        'NODE_OPTIONS',
        'HTTPS_PROXY',
        'JP_USER_DATA_DIR',
      ]) {
        assert.equal(env[name], undefined, name)
      }
      assert.deepEqual([env['HOME'], env['HTTP_PROXY']], [scratch.home, 'http://127.0.0.1:9'])
    }
    assert.deepEqual([a['PWD'], b['PWD']], [cwdOf('a'), cwdOf('b')])
    assert.equal(a['PATH']?.startsWith(`${cwdOf('a')}/bin:`), true)
    assert.equal(b['PATH']?.includes(cwdOf('a')), false)
  })

  it('D8, FR-41: a changed .env reaches agents that start later, and no other workspace', async () => {
    trust(scratch, cwdOf('a'), cwdOf('b'))
    writeDotenv('a', {FOO: 'old'})
    await start(['a', 'b'])
    assert.equal((await environmentOf('a'))['FOO'], 'old')
    writeDotenv('a', {FOO: 'new'})
    assert.equal((await environmentOf('a'))['FOO'], 'old', 'a running child keeps what it has')
    const session = await client.create(cwdOf('a'))
    const reader = await client.read(session)
    await client.prompt(session, '[[die]]')
    await reader.done
    assert.equal((await environmentOf('a'))['FOO'], 'new')
    assert.equal((await environmentOf('b'))['FOO'], undefined)
    assert.equal(process.env['FOO'], undefined)
  })

  for (const own of [true, false])
    it(`D9: of an untrusted workspace nothing is read, nothing is started, and nothing hangs (${own ? 'jp’s own' : 'another'} agent)`, async () => {
      trust(scratch, cwdOf('a'))
      execFileSync('mkfifo', [join(cwdOf('u'), '.env'), join(cwdOf('u'), '.jp', 'config.toml')])
      const times = () => ['.jp', '.jp/config.toml', '.env'].map((name) => statSync(join(cwdOf('u'), name)).atimeMs)
      const before = times()
      daemon = await startServing(scratch, {workspaces: ['a', 'u'], own, log: trace})
      client = createDaemonClient(daemon)
      const {body} = await client.ask('GET', '/capabilities')
      assert.deepEqual(
        body['workspaces'].map(({trusted}: {trusted: boolean}) => trusted),
        [true, false],
      )
      const id = '00000000-0000-4000-8000-000000000000'
      for (const path of ['/session', `/session/${id}/load`, `/session/${id}/resume`]) {
        const answer = await client.ask('POST', path, {cwd: cwdOf('u')})
        assert.deepEqual(
          [answer.status, answer.body['code'], answer.body['workspaceCwd']],
          [403, 'untrusted_workspace', cwdOf('u')],
        )
      }
      assert.equal(
        (await client.ask('POST', '/session', {cwd: cwdOf('a'), sessionId: id})).status,
        200,
        'ids are looked up elsewhere',
      )
      const list = await client.ask('GET', `/workspaces/${encodeURIComponent(cwdOf('u'))}/sessions`)
      assert.deepEqual([list.status, list.body], [200, {sessions: []}])
      await client.ask('GET', '/daemon/status?detail=full')
      assert.equal(daemon.registry.runtimes[1]?.bridge.agentPid, undefined)
      assert.deepEqual(times(), before)
    })

  it('D9: an untrusted primary takes sessions, without its .env and without its guarded settings', async () => {
    writeDotenv('u', {FROM_DOTENV: 'dotenv-value'})
    writeSettings('u', {FROM_SETTINGS: 'settings-value'})
    scratch.write('home/.config/jp/config.toml', '[serve.env]\nFROM_USER = "user-value"\n')
    await start(['u'])
    const env = await environmentOf('u')
    assert.deepEqual([env['FROM_DOTENV'], env['FROM_SETTINGS'], env['FROM_USER']], [undefined, undefined, 'user-value'])
  })

  it('W32: a .env that is a FIFO, or leads out of the checkout, is not read, and the log says so', async () => {
    trust(scratch, cwdOf('a'), cwdOf('b'))
    execFileSync('mkfifo', [join(cwdOf('a'), '.env')])
    scratch.write('outside.env', 'OUTSIDE=outside-value\n')
    execFileSync('ln', ['-s', join(scratch.path, 'outside.env'), join(cwdOf('b'), '.env')])
    await start(['a', 'b'])
    await environmentOf('a')
    assert.equal((await environmentOf('b'))['OUTSIDE'], undefined)
    assert.equal(log.filter((line) => line.includes('.env is not read')).length, 2)
  })
})
