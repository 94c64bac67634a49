import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseSessionKey, parseWorkspaceId, type WorkspaceId} from '../../../src/platform/id-grammar.js'
import {startTicks} from '../../../src/platform/session-leader.js'
import type {SessionIdentity} from '../../../src/session/identity.js'
import {noSelection, parseSelection, repair, select} from '../../../src/session/selection.js'
import {cleanSelections, readSelection, updateSelection} from '../../../src/session/selection-store.js'
import {repository} from '../../support/jp.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const id = (text: string): WorkspaceId => {
  const parsed = parseWorkspaceId(text)
  assert.ok(parsed)
  return parsed
}
const app = {id: id('a1b2c'), root: '/app'}
const wt = {id: id('a1b2c'), root: '/wt'}
const lib = {id: id('l1b2c'), root: '/lib'}

const sessionOf = (pid: number, leaderStarted: string | undefined): SessionIdentity => {
  const key = parseSessionKey(`getsid-${pid}`)
  assert.ok(key)
  return {key, id: String(pid), source: {type: 'getsid'}, leaderStarted}
}
const holder = {pid: process.pid, acquired_at: '2026-11-30T00:00:00Z'}

describe('a session record', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())
  const file = (session: SessionIdentity): string => join(scratch.data, 'sessions', `${session.key}.json`)

  it('W6: is most recent first and distinct by workspace and root; sticky stays where it is not said', () => {
    const at = (atMs: number, sticky?: boolean) => ({atMs, ...(sticky === undefined ? {} : {sticky})})
    let selection = select(noSelection, app, at(1))
    selection = select(selection, wt, at(2, true))
    selection = select(selection, lib, at(3))
    selection = select(selection, app, at(4))
    assert.deepEqual(
      selection.history.map(({root}) => root),
      ['/app', '/lib', '/wt'],
    )
    assert.equal(selection.sticky, true)
    assert.equal(selection.history[0]?.selectedAt, '1970-01-01T00:00:00.004Z')
    assert.equal(select(selection, app, at(5, false)).sticky, false)
  })

  it('W8: a repair puts the live checkout in the place of the one that is gone, once', () => {
    const selection = select(select(select(noSelection, wt, {atMs: 1}), lib, {atMs: 2}), app, {atMs: 3})
    assert.deepEqual(
      repair(selection, {gone: app, by: wt}).history.map(({root}) => root),
      ['/wt', '/lib'],
    )
  })

  it('W6: what is written reads back, in the format of the existing jp', async () => {
    const session = sessionOf(process.pid, 'boot:1')
    await updateSelection(scratch.data, {session, holder}, (selection) =>
      select(selection, app, {atMs: 0, sticky: true}),
    )
    assert.deepEqual(JSON.parse(readFileSync(file(session), 'utf8')), {
      history: [{workspace_id: 'a1b2c', root: '/app', selected_at: '1970-01-01T00:00:00.000Z'}],
      sticky: true,
      id: String(process.pid),
      source: {type: 'getsid'},
      leader_started: 'boot:1',
    })
    assert.deepEqual(readdirSync(join(scratch.data, 'sessions')), [`${session.key}.json`])
  })

  it('W5: a process id that was used again is another session; a record without the start counts', async () => {
    const old = sessionOf(4242, 'boot:1')
    await updateSelection(scratch.data, {session: old, holder}, (selection) => select(selection, app, {atMs: 0}))
    assert.deepEqual(readSelection(scratch.data, sessionOf(4242, 'boot:2')).selection, noSelection)
    assert.equal(readSelection(scratch.data, sessionOf(4242, undefined)).selection.history.length, 1)
    const record = JSON.parse(readFileSync(file(old), 'utf8'))
    delete record.leader_started
    writeFileSync(file(old), JSON.stringify(record))
    assert.equal(readSelection(scratch.data, sessionOf(4242, 'boot:2')).selection.history.length, 1)
  })

  it('W5: at the end of a run, records of processes that are gone go; a reused id counts as gone', async function () {
    if (startTicks(process.pid) === undefined) this.skip()
    const alive = sessionOf(process.pid, startTicks(process.pid))
    const reused = sessionOf(process.ppid, 'boot:long-ago')
    const dead = sessionOf(2 ** 22 + 1, undefined)
    for (const session of [alive, reused, dead])
      await updateSelection(scratch.data, {session, holder}, (selection) => select(selection, app, {atMs: 0}))
    await cleanSelections(scratch.data, holder, () => true)
    assert.deepEqual(
      [alive, reused, dead].map((session) => existsSync(file(session))),
      [true, false, false],
    )
  })

  it('W5: in records of variables, workspaces without a live checkout go, and nothing else is touched', async () => {
    const folder = join(scratch.data, 'sessions')
    mkdirSync(folder, {recursive: true})
    const entry = (checkout: typeof app) => ({
      workspace_id: checkout.id,
      root: checkout.root,
      selected_at: 'x',
      more: 1,
    })
    const record = {
      history: [entry(app), entry(lib)],
      sticky: true,
      id: 'v',
      source: {type: 'env', key: 'X'},
      later: [1],
    }
    const path = join(folder, 'env-X-0123456789abcdef.json')
    writeFileSync(path, JSON.stringify(record))
    writeFileSync(join(folder, 'damaged.json'), '{')
    writeFileSync(join(folder, 'env-X-0123456789abcde0.json'), '{')
    await cleanSelections(scratch.data, holder, (workspace) => workspace === lib.id)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {...record, history: [entry(lib)]})
    await cleanSelections(scratch.data, holder, () => false)
    assert.deepEqual(readdirSync(folder).sort(), ['damaged.json', 'env-X-0123456789abcde0.json'])
  })

  it('W6: entries and records that make no sense are passed over', () => {
    assert.equal(parseSelection(''), undefined)
    assert.equal(parseSelection('[]'), undefined)
    const read = parseSelection('{"history": [1, {"workspace_id": "../x", "root": "/"}, {"root": 5}], "sticky": "yes"}')
    assert.deepEqual([read?.selection.history, read?.selection.sticky], [[], false])
  })

  it('FR-14: writers of several processes take turns: no update is lost and no reader sees half a file', async () => {
    const [writers, updates] = process.env['JP_SOAK'] === '1' ? [8, 200] : [4, 10]
    const script = `
      import {select} from './src/session/selection.ts'
      import {updateSelection} from './src/session/selection-store.ts'
      const [data, pid, name, updates] = process.argv.slice(1)
      const session = {key: 'getsid-' + pid, id: pid, source: {type: 'getsid'}, leaderStarted: undefined}
      for (let at = 0; at < Number(updates); at++)
        await updateSelection(data, {session, holder: {pid: process.pid, acquired_at: ''}}, (selection) =>
          select({...selection, extra: {...selection.extra, [name]: at + 1}}, {id: 'a1b2c', root: '/' + name}, {atMs: at}))`
    const session = sessionOf(process.pid, undefined)
    const loader = join(repository, 'test', 'support', 'typescript-imports.mjs')
    const run = (name: string): Promise<number | null> =>
      new Promise((resolve) => {
        const args = [
          '--import',
          loader,
          '--input-type=module',
          '-e',
          script,
          scratch.data,
          session.id,
          name,
          String(updates),
        ]
        spawn(process.execPath, args, {cwd: repository, stdio: 'inherit'}).on('exit', resolve)
      })
    let running = true
    let reads = 0
    const reader = async (): Promise<void> => {
      while (running) {
        if (existsSync(file(session))) JSON.parse(readFileSync(file(session), 'utf8'))
        reads++
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const names = Array.from({length: writers}, (_, index) => `w${index}`)
    const reading = reader()
    assert.deepEqual(
      await Promise.all(names.map(run)),
      names.map(() => 0),
    )
    running = false
    await reading
    const {selection} = readSelection(scratch.data, session)
    assert.deepEqual(
      selection.history.map(({root}) => root).sort(),
      names.map((name) => `/${name}`),
    )
    assert.deepEqual(selection.extra, Object.fromEntries(names.map((name) => [name, updates])))
    assert.ok(reads > 0)
  })
})
