import assert from 'node:assert/strict'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {startDaemon, type TestDaemon} from '../support/daemon.js'
import {send} from '../support/http.js'
import {type Run, runJp} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('jp serve status, stop, env, open', () => {
  let scratch: Scratch
  let daemon: TestDaemon
  before(async () => {
    scratch = createScratch()
    scratch.checkout('a', 'aaaaa')
    daemon = await startDaemon(scratch, ['-w', 'a'])
  })
  after(() => scratch.remove())

  const jp = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> =>
    runJp(args, {cwd: scratch.path, env: {...scratch.env, ...env}})

  it('D24: status says what is served and never the token', async () => {
    const run = await jp(['serve', 'status'])
    assert.equal(run.code, 0, run.stderr)
    assert.match(run.stdout, new RegExp(`^URL +${daemon.url}\nProcess +${daemon.pid}\n`))
    assert.match(run.stdout, new RegExp(`Workspaces +${join(scratch.path, 'a')} \\(not trusted\\)\n`))
    const {stdout} = await jp(['serve', 'status', '-F', 'json'])
    assert.equal(JSON.parse(stdout).daemon.pid, daemon.pid)
    for (const text of [run.stdout, stdout]) assert.equal(text.includes(daemon.token ?? ''), false)
  })

  it('D24, FR-47: env prints what reaches the daemon, whatever proxies the environment names', async () => {
    const proxies = {HTTP_PROXY: 'http://127.0.0.1:9', ALL_PROXY: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1'}
    const run = await jp(['serve', 'env'], proxies)
    assert.equal(run.stdout, `export JP_SERVER_URL=${daemon.url}\nexport JP_SERVER_TOKEN=${daemon.token}\n`)
    assert.deepEqual(JSON.parse((await jp(['serve', 'env', '-F', 'json'], proxies)).stdout), {
      JP_SERVER_URL: daemon.url,
      JP_SERVER_TOKEN: daemon.token,
    })
    assert.equal((await jp(['serve', 'status'], proxies)).code, 0)
  })

  it('D24: open gives a link that works once, and the cookie behind it opens the page and nothing else', async () => {
    const run = await jp(['serve', 'open'])
    const link = new URL(run.stdout.trim())
    assert.equal(run.stdout.includes(daemon.token ?? ''), false)
    const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      send({port: daemon.port, method: 'GET', path, headers: {host: `127.0.0.1:${daemon.port}`, ...headers}})
    const first = await get(link.pathname)
    assert.deepEqual([first.status, first.headers['location']], [303, '/'])
    const [cookie = ''] = first.headers['set-cookie'] as readonly string[]
    assert.match(cookie, /^jp_page=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/)
    assert.equal((await get(link.pathname)).status, 404)
    const page = await get('/', {cookie: cookie.split(';')[0] ?? ''})
    assert.equal(page.status, 200)
    assert.match(page.text, new RegExp(`<h2>${join(scratch.path, 'a')} \\(primary, not trusted\\)</h2>`))
    assert.equal((await get('/capabilities', {cookie: cookie.split(';')[0] ?? ''})).status, 401)
    assert.equal((await get('/')).status, 401)
  })

  it('D23: /openapi.json lists what is served, with the schemas that validate it', async () => {
    const {body} = await daemon.ask('GET', '/openapi.json')
    assert.equal(body['openapi'], '3.1.0')
    const create = body['paths']['/session'].post.requestBody.content['application/json'].schema
    assert.equal(create.additionalProperties, false)
    assert.deepEqual(Object.keys(create.properties), [
      'cwd',
      'sessionScope',
      'sessionId',
      'approvalMode',
      'modelServiceId',
      'sourceType',
      'sourceId',
      'worktree',
      'branch',
    ])
    assert.equal('/session/{id}/cd' in body['paths'], false)
    assert.equal('/acp' in body['paths'], false)
    assert.ok('get' in body['paths']['/session/{id}/events'])
  })

  it('D24: two daemons must be told apart; one that is gone is none', async () => {
    const other = await startDaemon(scratch, ['-w', 'a'])
    const run = await jp(['serve', 'status'])
    assert.equal(run.code, 2)
    assert.match(run.stderr, /^Error: 2 daemons are running\. Name one:\n {2}jp serve status --port \d+\n/)
    assert.equal((await jp(['serve', 'status', '--port', String(other.port)])).code, 0)
    other.signal('SIGKILL')
    await other.exited
    assert.equal((await jp(['serve', 'status'])).code, 0)
    assert.equal((await jp(['serve', 'status', '--port', String(other.port)])).code, 3)
    assert.equal((await jp(['serve', 'status', '--port', 'x'])).code, 2)
  })

  it('D24: a process of the same number that is no daemon is not ended', async () => {
    const file = scratch.write('home/.local/share/jp/serve/9.json', '')
    writeFileSync(
      file,
      JSON.stringify({url: 'http://127.0.0.1:9', port: 9, pid: process.pid, started_at: '2026-01-01T00:00:00Z'}),
    )
    const run = await jp(['serve', 'stop', '--port', '9'])
    assert.equal(run.code, 6)
    assert.match(run.stderr, /does not answer/)
    writeFileSync(file, '{')
  })

  it('D5, D24: stop ends it in order and returns when it is gone', async () => {
    const run = await jp(['serve', 'stop'])
    assert.deepEqual([run.code, run.stdout], [0, `Stopped the daemon at ${daemon.url}.\n`])
    assert.equal(await daemon.exited, 0)
    const again = await jp(['serve', 'stop'])
    assert.deepEqual([again.code, again.stderr], [3, 'Error: No daemon is running.\n  Start one: jp serve\n'])
  })
})
