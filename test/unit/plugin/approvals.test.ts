import assert from 'node:assert/strict'
import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {hasCode} from '../../../src/errors/jp-error.js'
import type {PluginName} from '../../../src/platform/id-grammar.js'
import {createApprovalStore} from '../../../src/plugin/approvals.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const manifest = {protocol: 1, description: 'd', command: ['notes'], scope: 'single'} as const
const notes = 'notes' as PluginName

describe('approval store', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())
  const store = () => createApprovalStore({dataDirectory: scratch.path, clock: {nowMs: () => 0}, pid: process.pid})
  const file = () => join(scratch.path, 'plugin-approvals.json')

  it('P12: holds path, checksum and the manifest fields, private to the user', async () => {
    await store().approve(notes, {path: '/bin/jp-notes', sha256: 'ab', manifest})
    assert.deepEqual(JSON.parse(readFileSync(file(), 'utf8')), {
      approved: {
        notes: {
          path: '/bin/jp-notes',
          sha256: 'ab',
          approved_at: '1970-01-01T00:00:00.000Z',
          manifest: {protocol: 1, description: 'd', command: ['notes'], workspace_scope: 'single'},
        },
      },
    })
    assert.equal(statSync(file()).mode & 0o777, 0o600)
    assert.deepEqual(store().read().byName.get('notes'), {
      path: '/bin/jp-notes',
      sha256: 'ab',
      approvedAt: '1970-01-01T00:00:00.000Z',
      manifest,
      isDevelopment: false,
      replaced: undefined,
    })
  })

  it('P12: what this version does not know is kept, at every level', async () => {
    writeFileSync(
      file(),
      JSON.stringify({later: 1, approved: {notes: {path: '/x', sha256: 'y', installed: true, more: [1]}, other: 5}}),
    )
    await store().approve(notes, {path: '/bin/jp-notes', sha256: 'ab', manifest})
    const after = JSON.parse(readFileSync(file(), 'utf8'))
    assert.deepEqual(
      [after.later, after.approved.other, after.approved.notes.installed, after.approved.notes.more],
      [1, 5, true, [1]],
    )
    assert.equal(after.approved.notes.path, '/bin/jp-notes')
  })

  it('P12: revoking removes one approval and says whether there was one', async () => {
    await store().approve(notes, {path: '/bin/jp-notes', sha256: 'ab', manifest})
    assert.equal(await store().revoke(notes), true)
    assert.equal(await store().revoke(notes), false)
    assert.equal(await store().revoke('constructor' as PluginName), false)
    assert.equal(store().read().byName.size, 0)
  })

  for (const length of [0, 1, 77]) {
    it(`P12, FR-15: a store cut to ${length} bytes approves nothing and is kept`, async () => {
      await store().approve(notes, {path: '/bin/jp-notes', sha256: 'ab', manifest})
      const torn = readFileSync(file(), 'utf8').slice(0, length)
      writeFileSync(file(), torn)
      const read = store().read()
      assert.equal(read.byName.size, 0)
      assert.match(read.unreadable ?? '', /plugin-approvals\.json/)
      await assert.rejects(store().approve(notes, {path: '/p', sha256: 's', manifest}), (error) =>
        hasCode(error, 'approvals_unreadable'),
      )
      assert.equal(readFileSync(file(), 'utf8'), torn)
    })
  }

  it('P12: an entry that is no approval approves nothing; the others count', () => {
    writeFileSync(
      file(),
      JSON.stringify({approved: {a: null, b: {path: 1, sha256: 'x'}, c: {path: '/c', sha256: 'x'}}}),
    )
    assert.deepEqual([...store().read().byName.keys()], ['c'])
  })

  it('P12, FR-14: writers take turns: no approval is lost', async () => {
    const names = Array.from({length: 40}, (_, index) => `p${index}` as PluginName)
    await Promise.all(names.map((name) => store().approve(name, {path: `/${name}`, sha256: 'x', manifest})))
    assert.deepEqual([...store().read().byName.keys()].sort(), [...names].sort())
  })
})
