import assert from 'node:assert/strict'
import {existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {PackageName} from '../../../../src/platform/id-grammar.js'
import type {InstalledPackage} from '../../../../src/plugin/install/package-index.js'
import {createPackageStore, packagesFolder} from '../../../../src/plugin/install/package-store.js'
import {createScratch, type Scratch} from '../../../support/scratch.js'

describe('the store of packages', () => {
  let scratch: Scratch
  let data: string
  let aheadMs: number
  beforeEach(() => {
    scratch = createScratch()
    data = join(scratch.path, 'data')
    aheadMs = 0
  })
  afterEach(() => scratch.remove())

  const store = () =>
    createPackageStore({dataDirectory: data, clock: {nowMs: () => Date.now() + aheadMs}, pid: process.pid})
  const names = (): string[] => readdirSync(packagesFolder(data)).filter((name) => name !== 'index.json')
  const entry = (name: string, folder: string): InstalledPackage => ({
    name: name as PackageName,
    version: '1.0.0',
    place: {kind: 'installed', folder, integrity: 'sha512-x', tree: 'ab'},
    source: {kind: 'registry', name: name as PackageName, range: 'latest'},
    isOfficial: false,
    installedAt: '2026-01-01T00:00:00.000Z',
  })
  const folder = (name: string): void => void mkdirSync(join(packagesFolder(data), name), {recursive: true})
  const minute = 60_000

  it('P16: what one run has placed and not recorded yet, another does not sweep; what stays unrecorded goes', async () => {
    folder('notes@1.0.0-aaaaaaaa')
    await store().sweep()
    assert.deepEqual(names(), ['notes@1.0.0-aaaaaaaa'])
    aheadMs = 11 * minute
    await store().sweep()
    assert.deepEqual(names(), [])
  })

  it('P16: a version that was replaced stays for a day; staging of a run that is gone goes at once', async () => {
    for (const name of [
      'notes@1.0.0-aaaaaaaa',
      'notes@1.0.0-bbbbbbbb',
      '.staging.999999999-0.tmp',
      `.staging.${process.pid}-0.tmp`,
    ])
      folder(name)
    await store().record(() => [entry('notes', 'notes@1.0.0-aaaaaaaa')])
    await store().record(() => [entry('notes', 'notes@1.0.0-bbbbbbbb')])
    aheadMs = 60 * minute
    await store().sweep()
    assert.deepEqual(names(), [`.staging.${process.pid}-0.tmp`, 'notes@1.0.0-aaaaaaaa', 'notes@1.0.0-bbbbbbbb'])
    aheadMs = 25 * 60 * minute
    await store().sweep()
    assert.deepEqual(names(), [`.staging.${process.pid}-0.tmp`, 'notes@1.0.0-bbbbbbbb'])
    assert.deepEqual(store().list(), [entry('notes', 'notes@1.0.0-bbbbbbbb')])
  })

  it('P16: a folder that is taken is not replaced; a change that throws changes nothing', async () => {
    folder('notes@1.0.0-aaaaaaaa')
    folder('.staging.1-0.tmp')
    assert.equal(
      store().place(join(packagesFolder(data), '.staging.1-0.tmp'), 'notes@1.0.0-aaaaaaaa'),
      'notes@1.0.0-aaaaaaaa-2',
    )
    await store().record(() => [entry('notes', 'notes@1.0.0-aaaaaaaa')])
    const before = readFileSync(join(packagesFolder(data), 'index.json'), 'utf8')
    await assert.rejects(
      store().record(() => {
        throw new TypeError('no')
      }),
      TypeError,
    )
    assert.equal(readFileSync(join(packagesFolder(data), 'index.json'), 'utf8'), before)
  })

  it('P28: oclif’s list follows ours and keeps what else is in it; without packages none is made', async () => {
    await store().record(() => [])
    assert.equal(existsSync(join(data, 'package.json')), false)
    scratch.write('data/package.json', '{"dependencies": {"x": "1"}, "oclif": {"more": 1, "plugins": []}}')
    await store().record(() => [entry('notes', 'notes@1.0.0-aaaaaaaa')])
    assert.deepEqual(JSON.parse(readFileSync(join(data, 'package.json'), 'utf8')), {
      private: true,
      dependencies: {x: '1'},
      oclif: {more: 1, schema: 1, plugins: [{type: 'user', name: 'notes', tag: 'latest'}]},
    })
    scratch.write('data/package.json', '{"oclif": {"plug')
    await store().record(() => [])
    assert.ok(existsSync(join(data, 'package.json.damaged')))
  })
})
