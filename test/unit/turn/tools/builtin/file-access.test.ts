import assert from 'node:assert/strict'
import {mkdirSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {createFileAccess, type FileAccess} from '../../../../../src/turn/tools/builtin/file-access.js'
import type {ToolSettings} from '../../../../../src/turn/tools/tool-settings.js'
import {createScratch, type Scratch} from '../../../../support/scratch.js'

type Entries = NonNullable<NonNullable<ToolSettings['access']>['fs']>

describe('what a built-in tool may touch', () => {
  let scratch: Scratch
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    for (const file of ['app/src/a', 'app/secret/s', 'data/d', 'data/closed/c', 'data/.git/config', 'other/o']) {
      scratch.write(file, 'text')
    }
  })
  afterEach(() => scratch.remove())

  const accessWith = (fs: Entries): FileAccess => createFileAccess({root, env: {HOME: scratch.path}, access: {fs}})
  const isRefused = (act: () => unknown): boolean => {
    try {
      act()
      return false
    } catch (error) {
      assert.equal((error as {code?: string}).code, 'file_refused')
      return true
    }
  }
  /** What of it may be read, and what written. */
  const told = (access: FileAccess, ...written: readonly string[]): string[] =>
    written.map((path) => {
      const reads = isRefused(() => access.use(path, 'read')) ? '-' : 'r'
      return `${path} ${reads}${isRefused(() => access.change(path)) ? '-' : 'w'}`
    })

  it('W26, W32: without settings the checkout is open, all else is closed, and what jp and git own is not changed', () => {
    symlinkSync(join(scratch.path, 'data'), join(root, 'away'))
    symlinkSync('.git', join(root, 'innocent'))
    mkdirSync(join(root, '.git', 'hooks'), {recursive: true})
    const access = accessWith([])
    assert.deepEqual(told(access, 'src/a', 'new/b', '.', join(root, 'src/a'), '.jp/config.toml', '.git/config'), [
      'src/a rw',
      'new/b rw',
      '. rw',
      `${join(root, 'src/a')} rw`,
      '.jp/config.toml r-',
      '.git/config r-',
    ])
    assert.deepEqual(told(access, '../data/d', '/etc/hosts', 'away/d', 'innocent/hooks/pre-commit', 'src/.jp.toml'), [
      '../data/d --',
      '/etc/hosts --',
      'away/d --',
      'innocent/hooks/pre-commit r-',
      'src/.jp.toml r-',
    ])
    assert.equal(access.outside, '')
  })

  it('W26, facts 7.6: an external path is open for reading, for writing when that is said, and the longest path counts', () => {
    const data = join(scratch.path, 'data')
    const access = accessWith([
      {path: '../data', external: true, write: true},
      {path: join(data, 'closed'), external: true, read: false, write: false},
      {path: '~/other', external: true, create: true},
    ])
    assert.deepEqual(
      told(access, '../data/d', join(data, 'new'), '../data/closed/c', '../data/.git/config', '../data/../app/../o'),
      [
        '../data/d rw',
        `${join(data, 'new')} rw`,
        '../data/closed/c --',
        '../data/.git/config r-',
        '../data/../app/../o --',
      ],
    )
    assert.deepEqual(told(access, '../other/o', '../other/n', 'src/a'), ['../other/o r-', '../other/n rw', 'src/a rw'])
    assert.equal(access.mayRead(join(data, 'closed/c')), false)
    assert.equal(
      access.outside,
      `${data} (read, create, update), ${join(data, 'closed')} (), ${join(scratch.path, 'other')} (read, create)`,
    )
  })

  it('W26: without "external" a path outside stays closed', () => {
    assert.deepEqual(told(accessWith([{path: '../data', read: true, write: true}]), '../data/d'), ['../data/d --'])
  })

  it('W26: an entry inside the checkout closes, also by way of a link, and for what does not exist yet', () => {
    symlinkSync('secret', join(root, 'link'))
    const access = accessWith([
      {path: 'secret', read: false, write: false},
      {path: 'src', write: false},
    ])
    assert.deepEqual(told(access, 'secret/s', 'link/s', 'link/new', 'src/a', 'src/new', 'else'), [
      'secret/s --',
      'link/s --',
      'link/new --',
      'src/a r-',
      'src/new r-',
      'else rw',
    ])
  })

  it('W32: an external path is not left through a link, and a name stands for it', () => {
    symlinkSync(join(scratch.path, 'other'), join(scratch.path, 'data', 'out'))
    const access = accessWith([{path: join(scratch.path, 'data'), name: 'notes', external: true, write: true}])
    assert.deepEqual(told(access, 'notes/d', 'notes/out/o', 'notes/../../other/o', 'notes'), [
      'notes/d rw',
      'notes/out/o --',
      'notes/../../other/o --',
      'notes rw',
    ])
    const {path, shown} = access.use('notes/d', 'read')
    assert.deepEqual([path, shown], [join(scratch.path, 'data', 'd'), 'notes/d'])
    assert.equal(access.outside, 'notes (read, create, update)')
  })
})
