import assert from 'node:assert/strict'
import {appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {createPluginFolder} from '../support/plugins.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

type Finding = {
  area: string
  code: string
  gravity: string
  id?: string
  path: string
  reason: string
  advice: string
  fixable: boolean
  state: string
}
type Report = {about: Record<string, string | null>; findings: Finding[]}

/** A process id that no system gives. */
const nobody = 999_999_999

describe('jp doctor, beyond conversations', () => {
  let scratch: Scratch
  let root: string
  let silo: string
  let env: Record<string, string>
  const jp = (...args: string[]): Promise<Run> => runJp(args, {cwd: root, env})
  const report = async (...args: string[]): Promise<Report> =>
    JSON.parse((await jp('doctor', '--format', 'json', ...args)).stdout) as Report
  const found = ({findings}: Report): readonly string[] =>
    findings.map(({area, code, fixable, state}) => `${area} ${code} ${fixable ? state : 'by hand'}`)

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    silo = join(scratch.data, 'workspace', 'app-a1b2c')
    mkdirSync(silo, {recursive: true, mode: 0o700})
    mkdirSync(join(scratch.data, 'sessions'), {mode: 0o700})
    mkdirSync(join(scratch.home, '.cache'))
    env = {...scratch.env}
  })
  afterEach(() => scratch.remove())

  it('Q9: versions and paths come first, in the shape of the JSON', async () => {
    const {about, findings} = await report('-c', 'assistant.model.id=echo/echo')
    assert.deepEqual(findings, [])
    assert.deepEqual(Object.keys(about), ['jp', 'node', 'platform', 'git', 'model', 'data', 'config', 'cache', 'state'])
    assert.deepEqual([about['model'], about['node'], about['data']], ['echo/echo', process.version, scratch.data])
  })

  it('Q9, FR-15, FR-22, W33: registry, sessions, daemons and left-overs: found, kept as they are, put right by --fix', async () => {
    const data = (name: string, text: string): string => scratch.write(join('home/.local/share/jp', name), text)
    data('workspace/app-a1b2c/roots/0123456789abcdef.json', '{"path": ')
    data('workspace/app-a1b2c/roots/1123456789abcdef.json', '{"path":"/gone","last_used":"2026-01-01T00:00:00Z"}')
    data('workspace/app-a1b2c/sessions/env-JP_SESSION-0123456789abcdef.json', 'no record')
    data('sessions/env-JP_SESSION-0123456789abcdef.json', 'no record')
    data(
      'sessions/getsid-999999999.json',
      `{"history": [], "id": "${nobody}", "source": {"type": "getsid"}, "sticky": false}`,
    )
    data('locks/plugin-approvals.lock', `{"pid": ${nobody}, "acquired_at": ""}`)
    data(`.plugin-approvals.json.${nobody}-0.tmp`, 'half')
    data(`workspace/app-a1b2c/conversations/.17750000001-x.${nobody}-0.tmp/events.json`, '[')
    data('serve/4170.json', `{"url":"http://127.0.0.1:4170","port":4170,"token":"t","pid":${nobody},"started_at":"x"}`)
    chmodSync(join(scratch.data, 'serve'), 0o755)
    const before = listing(scratch.data)
    const first = await report()
    assert.deepEqual(found(first), [
      'folders folder_open found',
      'registry dead_root found',
      'registry damaged_root found',
      'sessions damaged_session found',
      'sessions damaged_session found',
      'sessions stale_session found',
      'daemon stale_daemon found',
      'leftovers stale_lock found',
      'leftovers half_written found',
      'leftovers half_written found',
    ])
    assert.deepEqual(listing(scratch.data), before)
    assert.equal((await jp('doctor')).code, 8)
    const fixed = await report('--fix')
    assert.deepEqual(
      fixed.findings.map(({state}) => state),
      first.findings.map(() => 'fixed'),
    )
    assert.deepEqual((await report()).findings, [])
    assert.deepEqual(readdirSync(join(silo, 'roots')), ['0123456789abcdef.json.damaged'])
    assert.deepEqual(readdirSync(join(scratch.data, 'sessions')), ['env-JP_SESSION-0123456789abcdef.json.damaged'])
    assert.deepEqual(readdirSync(join(scratch.data, 'locks')), [])
    assert.equal(statSync(join(scratch.data, 'serve')).mode & 0o777, 0o700)
    const kept = JSON.parse(readFileSync(join(scratch.data, 'serve', '4170.json'), 'utf8')) as object
    assert.deepEqual(Object.keys(kept), ['version', 'url', 'port', 'token', 'started_at'])
  })

  it('Q9, P12, P13: plugins whose bytes changed, that are gone, and what can not be run; none of them runs', async () => {
    const plugins = createPluginFolder(scratch)
    env = {...plugins.env}
    const marking = `touch ${join(scratch.path, 'ran')}`
    const notes = plugins.addShell('jp-notes', {command: ['notes']}, marking)
    const old = plugins.addShell('jp-old', {command: ['old']}, marking)
    plugins.addShell('jp-wrong', {command: ['Wr ong']}, marking)
    for (const path of [notes, old]) assert.equal((await jp('plugins', 'approve', path)).code, 0)
    assert.deepEqual(found(await report()), ['plugins plugin_unusable by hand'])
    appendFileSync(notes, '\n')
    rmSync(old)
    const changed = await report()
    assert.deepEqual(found(changed).slice().sort(), [
      'plugins plugin_changed by hand',
      'plugins plugin_unusable by hand',
      'plugins stale_approval found',
    ])
    assert.equal((await jp('doctor', '--fix')).code, 1)
    assert.ok(!readFileSync(join(scratch.data, 'plugin-approvals.json'), 'utf8').includes('"old"'))
    scratch.write('home/.local/share/jp/plugin-approvals.json', 'no store')
    scratch.write('home/.local/share/jp/plugins/packages/index.json', 'no index')
    const damaged = (await report('--fix')).findings.filter(({gravity}) => gravity === 'damage')
    assert.deepEqual(
      damaged.map(({code, state}) => [code, state]),
      [
        ['approvals_unreadable', 'found'],
        ['plugin_store_corrupt', 'fixed'],
      ],
    )
    assert.equal(readFileSync(join(scratch.data, 'plugin-approvals.json'), 'utf8'), 'no store')
    assert.ok(existsSync(join(scratch.data, 'plugins', 'packages', 'index.json.damaged')))
    assert.equal((await jp('doctor')).code, 8)
    assert.ok(!existsSync(join(scratch.path, 'ran')))
  })

  it('Q9, W16: a configuration that does not parse is one finding, and everything else is looked at all the same', async () => {
    scratch.write('app/.jp/config.toml', 'assistant = [\n')
    scratch.write('home/.local/share/jp/workspace/app-a1b2c/roots/0123456789abcdef.json', '{"path": ')
    const broken = await report()
    assert.deepEqual(found(broken), ['configuration config_malformed by hand', 'registry damaged_root found'])
    assert.match(broken.findings[0]?.reason ?? '', /\.jp\/config\.toml:2:1: /)
    await report('--fix')
    assert.equal((await jp('doctor')).code, 1)
    scratch.write('app/.jp/config.toml', '[styl]\ncode = 1\n')
    const remarks = await report()
    assert.deepEqual(found(remarks), ['configuration config_unknown_key by hand'])
    assert.equal((await jp('doctor')).code, 0)
  })

  it('Q9, W24, W33: the provider of the model: no key, a refused key, nobody there, one that answers; --offline asks nobody', async () => {
    let status = 401
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.writeHead(status).end('{"data": []}')
    })
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const file = scratch.write('home/.config/jp/config.toml', '[assistant.model]\nid = "openai/gpt"\n')
    try {
      assert.deepEqual(found(await report()), ['providers provider_key_missing by hand'])
      appendFileSync(file, `[providers.llm.openai]\nbase_url = "${url}"\n`)
      env = {...scratch.env, OPENAI_API_KEY: 'sk-secret-of-mine'}
      const refused = await jp('doctor')
      assert.equal(refused.code, 1)
      assert.match(refused.stdout, /! providers\.llm\.openai: OpenAI refused the key in OPENAI_API_KEY \(401\)/)
      assert.ok(!`${refused.stdout}${refused.stderr}`.includes('sk-secret'))
      status = 200
      assert.deepEqual(found(await report()), [])
      assert.equal(asked, 2)
      assert.deepEqual(found(await report('--offline')), [])
      assert.equal(asked, 2)
    } finally {
      await new Promise((settle) => server.close(settle))
    }
    assert.deepEqual(found(await report()), ['providers provider_unreachable by hand'])
    assert.ok(!existsSync(join(scratch.home, '.local', 'state', 'jp')))
  })
})
