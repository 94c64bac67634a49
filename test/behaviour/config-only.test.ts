import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runJp} from '../support/jp.js'
import {load, loadable} from '../support/load.js'
import {startOnTerminal} from '../support/pty.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

/** Commands that need no more than the configuration of the launch, or nothing. */
const silent = [
  ['w', 'ls'],
  ['w', 'show'],
  ['w', 'show', 'a1b2c'],
  ['config', 'show', 'user.name'],
  ['w', 'prune', '--dry-run'],
] as const

describe('commands that only look', () => {
  let scratch: Scratch
  let app: string
  beforeEach(async () => {
    scratch = createScratch()
    scratch.folder('home/.cache/jp')
    scratch.folder('home/.local/state')
    app = loadable(scratch, 'app', 'a1b2c')
  })
  afterEach(() => scratch.remove())

  const env = (): {[name: string]: string} => ({
    ...scratch.env,
    JP_SESSION: 'tab',
    XDG_CACHE_HOME: join(scratch.path, 'home', '.cache'),
  })
  const kept = (): string[] => listing(scratch.path).filter((line) => !line.includes('/home/.cache'))

  const changeNothing = async (cwd: string): Promise<void> => {
    const before = kept()
    for (const args of silent) {
      await runJp(args, {cwd, env: env()})
      assert.deepEqual(kept(), before, `jp ${args.join(' ')}`)
      const started = startOnTerminal(args, {cwd, env: env()})
      await started.exited
      assert.deepEqual(kept(), before, `jp ${args.join(' ')} on a terminal: ${started.received}`)
    }
  }

  it('S7, W4: with nothing there yet, nothing is made', () => changeNothing(app))

  it('S7, W4: gone checkouts, a legacy link, two stores, left-overs and a damaged session stay as they are', async () => {
    const wt = loadable(scratch, 'app-wt', 'a1b2c')
    for (const root of [app, wt]) assert.equal((await runJp(load, {cwd: root, env: env()})).code, 0)
    rmSync(wt, {recursive: true})
    const silo = join(scratch.data, 'workspace', 'app-a1b2c')
    symlinkSync(join(app, '.jp'), join(silo, 'storage'))
    mkdirSync(join(scratch.data, 'workspace', 'other-a1b2c', 'conversations'), {recursive: true})
    writeFileSync(join(silo, 'roots', '.x.json.999999-0.tmp'), 'left behind')
    const key = createHash('sha256').update('tab').digest('hex').slice(0, 16)
    mkdirSync(join(scratch.data, 'sessions'), {recursive: true})
    writeFileSync(join(scratch.data, 'sessions', `env-JP_SESSION-${key}.json`), '{"history": [')
    writeFileSync(join(scratch.data, 'sessions', 'getsid-999999.json'), '{"history": [], "id": "999999"}')
    await changeNothing(app)
    await changeNothing(scratch.folder('outside'))
  })

  it('S7, S17: the listing marks the workspace that the launch selects, and makes up none', async () => {
    const lib = loadable(scratch, 'lib', 'l1b2c')
    assert.equal((await runJp(load, {cwd: lib, env: env()})).code, 0)
    const marked = async (cwd: string, ...args: string[]): Promise<string[]> =>
      (
        JSON.parse((await runJp(['w', 'ls', '--format', 'json', ...args], {cwd, env: env()})).stdout) as {
          id: string
          launch: boolean
        }[]
      )
        .filter(({launch}) => launch)
        .map(({id}) => id)
    assert.deepEqual(await marked(lib), ['l1b2c'])
    assert.deepEqual(await marked(app), [], 'app is not registered')
    assert.deepEqual(await marked(scratch.path), [])
    assert.deepEqual(await marked(scratch.path, '-w', lib), ['l1b2c'])
    assert.equal((await runJp(['w', 'ls', '-w', 'zzzzz'], {cwd: lib, env: env()})).code, 3)
  })

  it('S18: the listing shows what another run registered a moment ago', async () => {
    const list = async (): Promise<unknown[]> =>
      JSON.parse((await runJp(['w', 'ls', '--format', 'json'], {cwd: scratch.path, env: env()})).stdout)
    assert.equal((await list()).length, 0)
    assert.equal((await runJp(load, {cwd: app, env: env()})).code, 0)
    assert.equal((await list()).length, 1)
  })

  it('W7: -w - takes the first line of stdin and no more; help prints the grammar', async () => {
    assert.equal((await runJp(load, {cwd: app, env: env()})).code, 0)
    const {launcher} = await import('../support/jp.js')
    const {spawnSync} = await import('node:child_process')
    const line = `printf 'a1b2c\\nrest\\nmore\\n' | { "${process.execPath}" "${launcher}" -w - w show --format json; cat; }`
    const run = spawnSync('/bin/sh', ['-c', line], {cwd: scratch.path, env: env(), encoding: 'utf8'})
    const [json = '', ...rest] = run.stdout.split('\n')
    assert.equal(JSON.parse(json).root, app)
    assert.deepEqual(rest, ['rest', 'more', ''])
    const empty = await runJp(['-w', '-', 'w', 'show'], {cwd: scratch.path, env: env()})
    assert.equal(empty.code, 2)
    const help = await runJp(['w', 'ls', '-w', 'help'], {cwd: scratch.path, env: env()})
    assert.equal(help.code, 0)
    assert.match(help.stdout, /ID@FOLDER/)
  })

  it('W7, Q4: a path that exists wins over an id; a near miss is named', async () => {
    assert.equal((await runJp(load, {cwd: app, env: env()})).code, 0)
    const show = (target: string) => runJp(['w', 'show', target, '--format', 'json'], {cwd: scratch.path, env: env()})
    const miss = await show('a1b2d')
    assert.equal(miss.code, 3)
    assert.equal(JSON.parse(miss.stderr).hint, 'Did you mean a1b2c?')
    loadable(scratch, 'a1b2c', 'p4thx')
    assert.equal(JSON.parse((await show('a1b2c')).stdout).id, 'p4thx')
    const part = await show('ap')
    assert.equal(part.code, 2)
    assert.match(JSON.parse(part.stderr).hint, new RegExp(`jp -w ${app} w show`))
  })
})
