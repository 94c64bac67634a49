import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseWorkspaceId, type WorkspaceId} from '../../../src/platform/id-grammar.js'
import {tryLock} from '../../../src/platform/lock.js'
import {listKnownWorkspaces, parseSiloName, readKnownWorkspaces} from '../../../src/workspace/known-workspaces.js'
import {readRoots, registerRoot, rootKey} from '../../../src/workspace/roots-registry.js'
import {findSilo, openSilo} from '../../../src/workspace/silo.js'
import {repository} from '../../support/jp.js'
import {createScratch, listing, type Scratch} from '../../support/scratch.js'

const id = (text: string): WorkspaceId => {
  const parsed = parseWorkspaceId(text)
  assert.ok(parsed)
  return parsed
}
const holder = {pid: process.pid, acquired_at: '2026-11-30T00:00:00Z'}
const minutes = 60_000

describe('user-local stores', () => {
  let scratch: Scratch
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
  })
  afterEach(() => scratch.remove())

  const silo = (name: string): string => join(scratch.data, 'workspace', name)
  const put = (name: string, text: string, atSeconds?: number): void => {
    const path = scratch.write(join('home/.local/share/jp/workspace', name), text)
    if (atSeconds !== undefined) utimesSync(path, atSeconds, atSeconds)
  }
  const read = (name: string): string => readFileSync(silo(name), 'utf8')
  const open = () => openSilo(scratch.data, {id: id('a1b2c'), root}, holder)

  it('W2: the name of a store is a slug and an id, or an id alone', () => {
    assert.deepEqual(parseSiloName('my-app-a1b2c'), {id: 'a1b2c', slug: 'my-app'})
    assert.deepEqual(parseSiloName('a1b2c'), {id: 'a1b2c', slug: null})
    for (const name of ['-a1b2c', 'app-A1B2C', 'app-a1b2', '.merge.lock', ''])
      assert.equal(parseSiloName(name), undefined)
  })

  it('W2: a store is found by its id and never renamed', () => {
    put('old-name-a1b2c/x', '')
    assert.deepEqual(open(), {silo: silo('old-name-a1b2c'), isNew: false, merged: []})
    assert.equal(findSilo(scratch.data, id('a1b2c'), 'app'), silo('old-name-a1b2c'))
    assert.equal(findSilo(scratch.data, id('zzzzz'), 'app'), undefined)
  })

  it('W2: several stores become one: the newer conversation stays, the other goes to .trash, nothing is lost', () => {
    put('app-a1b2c/conversations/17000000001-old-title/events.json', 'old', 1000)
    put('app-a1b2c/conversations/17000000002/events.json', 'own newer', 3000)
    put('app-a1b2c/config.toml', 'own', 3000)
    put('other-a1b2c/conversations/17000000001-new-title/events.json', 'new', 2000)
    put('other-a1b2c/conversations/17000000002/events.json', 'other older', 1000)
    put('other-a1b2c/conversations/17000000003/events.json', 'only there')
    put('other-a1b2c/conversations/.archive/17000000004/events.json', 'archived')
    put('other-a1b2c/config.toml', 'theirs', 1000)
    put('other-a1b2c/sessions/getsid-1.json', '{}')
    assert.deepEqual(open(), {silo: silo('app-a1b2c'), isNew: false, merged: [silo('other-a1b2c')]})
    assert.deepEqual(readdirSync(join(scratch.data, 'workspace')), ['app-a1b2c'])
    assert.equal(read('app-a1b2c/conversations/17000000001-new-title/events.json'), 'new')
    assert.equal(read('app-a1b2c/conversations/.trash/17000000001-old-title/events.json'), 'old')
    assert.equal(read('app-a1b2c/conversations/17000000002/events.json'), 'own newer')
    assert.equal(read('app-a1b2c/conversations/.trash/17000000002/events.json'), 'other older')
    assert.equal(read('app-a1b2c/conversations/17000000003/events.json'), 'only there')
    assert.equal(read('app-a1b2c/conversations/.archive/17000000004/events.json'), 'archived')
    assert.equal(read('app-a1b2c/config.toml'), 'own')
    assert.equal(read('app-a1b2c/config.toml.from-other-a1b2c'), 'theirs')
    assert.equal(read('app-a1b2c/sessions/getsid-1.json'), '{}')
  })

  it('W2, W19: a store with a conversation in use is not merged away under it', () => {
    put('app-a1b2c/conversations/17000000001/events.json', 'own')
    put('other-a1b2c/conversations/17000000002/events.json', 'in use')
    const attempt = tryLock(silo('other-a1b2c/locks/jp-c17000000002.lock'), holder)
    assert.ok(attempt.state === 'held')
    assert.deepEqual(open().merged, [])
    assert.equal(read('other-a1b2c/conversations/17000000002/events.json'), 'in use')
    attempt.lock.release()
    assert.deepEqual(open().merged, [silo('other-a1b2c')])
  })

  it('W2, W3: a legacy link counts as a checkout when read, and becomes a record when a run loads', () => {
    put('app-a1b2c/x', '')
    symlinkSync(join(root, '.jp'), silo('app-a1b2c/storage'))
    const before = listing(scratch.data)
    assert.deepEqual(
      readKnownWorkspaces(scratch.data)[0]?.live.map(({path}) => path),
      [root],
    )
    assert.deepEqual(listing(scratch.data), before)
    open()
    assert.equal(existsSync(silo('app-a1b2c/storage')), false)
    assert.deepEqual(
      readRoots(silo('app-a1b2c')).map(({path}) => path),
      [root],
    )
  })

  it('W3: a legacy link does not make a record older than it is', () => {
    put('app-a1b2c/x', '')
    registerRoot(silo('app-a1b2c'), {id: id('a1b2c'), root}, Date.parse('2099-01-01T00:00:00Z'))
    symlinkSync(join(root, '.jp'), silo('app-a1b2c/storage'))
    open()
    assert.equal(readRoots(silo('app-a1b2c'))[0]?.last_used, '2099-01-01T00:00:00.000Z')
  })

  it('W3: a legacy link that leads nowhere goes without a record', () => {
    put('app-a1b2c/x', '')
    symlinkSync(join(scratch.path, 'nowhere', '.jp'), silo('app-a1b2c/storage'))
    open()
    assert.deepEqual([existsSync(silo('app-a1b2c/storage')), readRoots(silo('app-a1b2c'))], [false, []])
  })

  it('W3: a record is written anew when it is five minutes old or from the future, and not before', () => {
    const checkout = {id: id('a1b2c'), root}
    const {silo: store} = open()
    const path = join(store, 'roots', `${rootKey(root)}.json`)
    const at = (nowMs: number): string => {
      registerRoot(store, checkout, nowMs)
      return JSON.parse(readFileSync(path, 'utf8')).last_used
    }
    assert.equal(at(0), '1970-01-01T00:00:00.000Z')
    assert.equal(at(5 * minutes - 1), '1970-01-01T00:00:00.000Z')
    assert.equal(at(5 * minutes), '1970-01-01T00:05:00.000Z')
    assert.equal(at(minutes), '1970-01-01T00:01:00.000Z')
  })

  it('W3, S17: live is what the checkout says now; newest first, then those without any, by id', () => {
    const register = (name: string, workspace: string, nowMs: number, isLive = true): string => {
      const path = isLive ? scratch.checkout(name, workspace) : join(scratch.path, name)
      registerRoot(silo(`${name}-${workspace}`), {id: id(workspace), root: path}, nowMs)
      return path
    }
    const older = register('older', '0ld3r', 1000)
    const newer = register('newer', 'n3w3r', 2000)
    register('zz', 'zzzzz', 9000, false)
    register('yy', 'yyyyy', 8000, false)
    const other = register('turned', 't0rn3', 9500)
    scratch.checkout('turned', 'x0th3')
    const listed = listKnownWorkspaces(scratch.data, id('0ld3r'))
    assert.deepEqual(
      listed.map(({id: workspace, launch, roots}) => [workspace, launch, roots.map(({path}) => path)]),
      [
        ['n3w3r', false, [newer]],
        ['0ld3r', true, [older]],
        ['t0rn3', false, []],
        ['yyyyy', false, []],
        ['zzzzz', false, []],
      ],
    )
    assert.deepEqual(
      readKnownWorkspaces(scratch.data)[2]?.dead.map(({path}) => path),
      [other],
    )
  })

  it('FR-14, W3: runs that register at once lose no record, and a reader never sees half of one', async () => {
    const [writers, updates] = process.env['JP_SOAK'] === '1' ? [8, 200] : [4, 25]
    const script = `
      import {registerRoot} from './src/workspace/roots-registry.ts'
      const [silo, root, updates] = process.argv.slice(1)
      for (let at = 0; at < Number(updates); at++) registerRoot(silo, {id: 'a1b2c', root}, at * 3_600_000)`
    const store = silo('app-a1b2c')
    mkdirSync(store, {recursive: true})
    const loader = join(repository, 'test', 'support', 'typescript-imports.mjs')
    const roots = Array.from({length: writers}, (_, index) => `/r${index}`)
    const run = (path: string): Promise<number | null> =>
      new Promise((resolve) => {
        const args = ['--import', loader, '--input-type=module', '-e', script, store, path, String(updates)]
        spawn(process.execPath, args, {cwd: repository, stdio: 'inherit'}).on('exit', resolve)
      })
    let running = true
    const reader = async (): Promise<void> => {
      while (running) {
        const registry = join(store, 'roots')
        for (const name of existsSync(registry) ? readdirSync(registry) : [])
          if (name.endsWith('.json')) JSON.parse(readFileSync(join(registry, name), 'utf8'))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const reading = reader()
    assert.deepEqual(
      await Promise.all(roots.map(run)),
      roots.map(() => 0),
    )
    running = false
    await reading
    assert.deepEqual(
      readRoots(store)
        .map(({path}) => path)
        .sort(),
      roots,
    )
    writeFileSync(join(store, 'done'), '')
    assert.deepEqual(
      readdirSync(join(store, 'roots')).filter((name) => name.endsWith('.tmp')),
      [],
    )
  })
})
