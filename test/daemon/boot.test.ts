import assert from 'node:assert/strict'
import {existsSync, readFileSync, statSync, symlinkSync} from 'node:fs'
import {createServer, type Server} from 'node:net'
import {join} from 'node:path'
import {parseWorkspaceId, type WorkspaceId} from '../../src/platform/id-grammar.js'
import {registerRoot} from '../../src/workspace/roots-registry.js'
import {openSilo} from '../../src/workspace/silo.js'
import {exampleAgent, startDaemon} from '../support/daemon.js'
import {freePort} from '../support/free-port.js'
import {type Run, runJp} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const workspaceId = (text: string): WorkspaceId => {
  const id = parseWorkspaceId(text)
  assert.ok(id !== undefined)
  return id
}

describe('jp serve: start', () => {
  let scratch: Scratch
  before(() => {
    scratch = createScratch()
    scratch.checkout('a', 'aaaaa')
    scratch.checkout('a/sub', 'aasub')
    scratch.checkout('b', 'bbbbb')
    scratch.folder('none')
    symlinkSync(join(scratch.path, 'a'), join(scratch.path, 'link'))
  })
  after(() => scratch.remove())

  const serve = (...args: readonly string[]): Promise<Run> =>
    runJp(['serve', '--port', '0', ...args], {cwd: scratch.path, env: scratch.env})
  const at = (name: string): string => join(scratch.path, name)

  it('D3, FR-06, FR-08: one workspace twice is refused, however it is spelled; nothing is bound', async () => {
    for (const second of ['a', './a/', 'a/../a', 'link', 'link/', at('a'), 'b/../link/.']) {
      const run = await serve('-w', 'a', '-w', second)
      assert.equal(
        run.stderr,
        `Error: Two --workspace values are the same workspace, ${at('a')}: a and ${second}.\n  Name each workspace once.\n`,
      )
      assert.deepEqual([run.code, run.stdout], [2, ''], second)
    }
    assert.equal(existsSync(join(scratch.data, 'serve')), false)
  })

  it('D3, FR-08: one workspace in another is refused in either order', async () => {
    for (const pair of [
      ['a', 'a/sub'],
      ['a/sub', 'a'],
      ['link/sub', 'b/../a'],
    ]) {
      const run = await serve(...pair.flatMap((target) => ['-w', target]))
      assert.equal(
        run.stderr,
        `Error: One workspace lies in the other: ${at('a/sub')} is inside ${at('a')}.\n` +
          '  Serve one of them, or start a second daemon with another --port.\n',
      )
      assert.equal(run.code, 2)
    }
  })

  it('D1: a folder is that folder, and must be a workspace; without -w the cwd decides', async () => {
    const run = await serve('-w', 'none')
    assert.equal(run.stderr, `Error: ${at('none')} is no workspace.\n  Run: jp init ${at('none')}\n`)
    assert.equal(run.code, 3)
    assert.equal((await serve('-w', 'a/.jp')).code, 3, 'no walk upward')
    assert.equal((await serve()).code, 3)
    assert.equal((await serve('-w', 'zzzzz')).code, 3)
    assert.equal((await serve('-w', '')).code, 2)
  })

  it('D1, D4: keeps the order of the workspaces; the first is the primary', async () => {
    const daemon = await startDaemon(scratch, ['-w', 'b', '-w', 'link'])
    const {body} = await daemon.ask('GET', '/capabilities')
    assert.deepEqual(
      body['workspaces'].map((row: {cwd: string; primary: boolean}) => [row.cwd, row.primary]),
      [
        [at('b'), true],
        [at('a'), false],
      ],
    )
    assert.equal(body['workspaceCwd'], at('b'))
    await daemon.stop()
  })

  it('FR-06, FR-08: a sibling with a common prefix is none inside; an alias is the workspace that it leads to', async () => {
    scratch.checkout('ab', 'abbbb')
    const daemon = await startDaemon(scratch, ['-w', 'link', '-w', 'ab', '--agent', exampleAgent()])
    const made = await Promise.all(
      ['a', 'link', 'ab/../a', 'link/'].map((cwd) => daemon.ask('POST', '/session', {cwd: at('x').replace(/x$/, cwd)})),
    )
    assert.deepEqual(new Set(made.map(({body}) => body['sessionId'])).size, 1)
    assert.deepEqual(new Set(made.map(({body}) => body['workspaceCwd'])), new Set([at('a')]))
    await daemon.stop()
  })

  it('D1, W7: takes the id of a workspace that is known', async () => {
    const checkout = {id: workspaceId('bbbbb'), root: at('b')}
    const {silo} = openSilo(scratch.data, checkout, {pid: process.pid, acquired_at: ''})
    registerRoot(silo, checkout, Date.now())
    assert.equal((await serve('-w', '?')).code, 2, 'only a question could settle it')
    const daemon = await startDaemon(scratch, ['-w', 'bbbbb'])
    assert.equal((await daemon.ask('GET', '/capabilities')).body['workspaceCwd'], at('b'))
    await daemon.stop()
  })

  it('D5: one line on stdout, an object with --format json; the log goes to stderr; a signal ends it with 0', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const daemon = await startDaemon(scratch, ['-w', 'a'])
      assert.equal(daemon.stdout, `jp is listening on ${daemon.url} (workspace=${at('a')})\n`)
      daemon.signal(signal)
      assert.equal(await daemon.exited, 0)
      assert.match(daemon.log, /"message":"stops"/)
    }
    const daemon = await startDaemon(scratch, ['-w', 'a', '-w', 'b', '--format', 'json'])
    const report = JSON.parse(daemon.stdout)
    assert.deepEqual([report.url, report.port, report.auth], [daemon.url, daemon.port, 'generated'])
    assert.equal(report.workspaces.length, 2)
    await daemon.stop()
  })

  it('D8: SIGHUP ends nothing; a .env that has changed counts for the agent that starts next', async () => {
    const env = {JP_TRUST_WORKSPACE: '1'}
    scratch.write('b/.env', 'CHANGED=before\n')
    const daemon = await startDaemon(scratch, ['-w', 'b', '--agent', exampleAgent()], {env})
    scratch.write('b/.env', 'CHANGED=after\n')
    daemon.signal('SIGHUP')
    assert.equal((await daemon.ask('POST', '/session')).status, 200)
    const {body} = await daemon.ask('GET', '/daemon/status?detail=full')
    const environ = readFileSync(`/proc/${body['full'].workspace.agentPid}/environ`, 'utf8')
    assert.match(environ, /\0CHANGED=after(?:\0|$)/)
    await daemon.stop()
  })

  it('D5: bad numbers and unknown flags are usage errors, the same on both paths', async () => {
    for (const args of [
      ['--max-sessions', '1.5'],
      ['--max-total-sessions=-1'],
      ['--event-ring-size', '0'],
      ['--nope'],
    ]) {
      assert.equal((await serve('-w', 'a', ...args)).code, 2, args.join(' '))
      assert.equal((await serve('-w', 'a', '-w', 'b', ...args)).code, 2, args.join(' '))
    }
    assert.equal((await serve('-w', 'a', '--port', '65536')).code, 2)
  })

  it('W13: what --cfg says wrong is said at the start; with another agent than jp it is warned of; --no-persist is refused', async () => {
    const wrong = await serve('-w', 'a', '--cfg', 'assistent.model.id=x')
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
    assert.match(wrong.stderr, /^Error: .*assistent/)
    const gone = await serve('-w', 'a', '--cfg', '@gone.toml')
    assert.deepEqual([gone.code, gone.stdout], [3, ''])
    const volatile = await serve('-w', 'a', '--no-persist')
    assert.deepEqual([volatile.code, volatile.stdout], [2, ''])
    const other = await startDaemon(scratch, ['-w', 'a', '--cfg', 'user.name=me', '--agent', exampleAgent()])
    assert.match(
      other.log,
      /^Warning: --cfg reaches settings of the daemon \(serve\.\*\), and no agent but jp's own\.\n/m,
    )
    await other.stop()
  })

  it('D5, FR-46: a port in use is exit 1 and names it; it never moves to another', async () => {
    for (const host of ['127.0.0.1', '::']) {
      const taken: Server = createServer().listen(0, host)
      const failed = await new Promise((resolve) => taken.once('listening', resolve).once('error', resolve))
      // A machine without IPv6 has nothing to be taken there.
      if (failed !== undefined) continue
      const {port} = taken.address() as {readonly port: number}
      const run = await runJp(['serve', '-w', 'a', '--port', String(port)], {cwd: scratch.path, env: scratch.env})
      assert.match(run.stderr, new RegExp(`^Error: 127\\.0\\.0\\.1:${port} is in use already\\.\n`))
      assert.deepEqual([run.code, run.stdout], [1, ''])
      taken.close()
    }
  })

  it('FR-46: of two starts at once on one port exactly one wins', async () => {
    const port = await freePort()
    const both = await Promise.allSettled([1, 2].map(() => startDaemon(scratch, ['-w', 'a'], {port})))
    const won = both.filter((result) => result.status === 'fulfilled')
    assert.equal(won.length, 1)
    await won[0]?.value.stop()
  })

  it('D24, W33: the token is kept over restarts in a file of the user alone, and never told', async () => {
    const first = await startDaemon(scratch, ['-w', 'a'])
    const {token} = first
    assert.ok(token !== undefined && token.length >= 32)
    assert.equal((await first.ask('GET', '/capabilities')).status, 200)
    const status = JSON.stringify((await first.ask('GET', '/daemon/status?detail=full')).body)
    await first.stop()
    const momentary = join(scratch.data, 'serve', `${first.port}.json`)
    assert.equal(existsSync(momentary), false, 'a port of the moment leaves no file')
    const port = await freePort()
    const again = await startDaemon(scratch, ['-w', 'a'], {port})
    const file = join(scratch.data, 'serve', `${port}.json`)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(join(scratch.data, 'serve')).mode & 0o777, 0o700)
    await again.stop()
    const third = await startDaemon(scratch, ['-w', 'a'], {port})
    assert.equal(third.token, again.token, 'a fixed port keeps its token')
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).pid, third.pid)
    await third.stop()
    for (const text of [status, first.log, first.stdout, third.log, third.stdout]) {
      assert.equal(text.includes(token) || text.includes(third.token ?? ''), false)
    }
  })

  it('D24: takes a token from a file, a variable, or a flag, which it warns of', async () => {
    const file = scratch.write('token.txt', 'token-of-the-file\n')
    const cases = [
      {args: ['--token-file', file], env: {}, token: 'token-of-the-file', warned: false},
      {args: [], env: {JP_SERVER_TOKEN: 'token-of-jp-variable'}, token: 'token-of-jp-variable', warned: false},
      {args: [], env: {QWEN_SERVER_TOKEN: 'token-of-variable'}, token: 'token-of-variable', warned: false},
      {args: ['--token', 'token-of-the-flag'], env: {}, token: 'token-of-the-flag', warned: true},
    ]
    for (const {args, env, token, warned} of cases) {
      const daemon = await startDaemon(scratch, ['-w', 'a', ...args], {env})
      assert.equal(daemon.token, token)
      assert.equal(daemon.log.includes('process list'), warned)
      assert.equal((await daemon.ask('GET', '/capabilities')).status, 200)
      await daemon.stop()
    }
    assert.equal((await serve('-w', 'a', '--token', 'has space')).code, 2)
    assert.equal((await serve('-w', 'a', '--token-file', 'nowhere')).code, 3)
  })

  it('D24, FR-48: --no-auth is for loopback alone', async () => {
    const daemon = await startDaemon(scratch, ['-w', 'a', '--no-auth'])
    assert.equal(daemon.token, undefined)
    assert.equal((await daemon.ask('GET', '/capabilities')).status, 200)
    await daemon.stop()
    for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
      const run = await serve('-w', 'a', '--no-auth', '--hostname', host)
      assert.equal(run.code, 2, host)
      assert.match(run.stderr, /--no-auth is for loopback addresses only/)
    }
  })
})
