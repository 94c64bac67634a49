import assert from 'node:assert/strict'
import {chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {openTreeHashes} from '../../../../src/plugin/install/tree-hash.js'
import {createScratch, type Scratch} from '../../../support/scratch.js'

describe('the hash of a tree', () => {
  let scratch: Scratch
  let tree: string
  beforeEach(() => {
    scratch = createScratch()
    for (const [name, text] of [
      ['a.js', 'one'],
      ['b/c.js', 'two'],
      ['node_modules/dep/d.js', 'three'],
    ] as const)
      scratch.write(`tree/${name}`, text)
    tree = join(scratch.path, 'tree')
  })
  afterEach(() => scratch.remove())

  const cacheDirectory = () => join(scratch.path, 'cache')
  /** Later by more than a stamp needs to settle. */
  const hash = (root = tree, nowMs = Date.now() + 60_000): string =>
    openTreeHashes({cacheDirectory: cacheDirectory(), nowMs}).hash(root)

  it('P13: covers every path, type, executable bit, link target and content, dependencies included', () => {
    const seen = new Set([hash()])
    const changes: readonly (() => void)[] = [
      () => scratch.write('tree/node_modules/dep/d.js', 'three!'),
      () => chmodSync(join(tree, 'a.js'), 0o755),
      () => renameSync(join(tree, 'b'), join(tree, 'bb')),
      () => mkdirSync(join(tree, 'empty')),
      () => symlinkSync('a.js', join(tree, 'link')),
      () => {
        rmSync(join(tree, 'link'))
        symlinkSync('bb/c.js', join(tree, 'link'))
      },
      () => {
        rmSync(join(tree, 'link'))
        writeFileSync(join(tree, 'link'), 'bb/c.js')
      },
      () => rmSync(join(tree, 'bb'), {recursive: true}),
    ]
    for (const change of changes) {
      change()
      seen.add(hash())
    }
    assert.equal(seen.size, changes.length + 1)
  })

  it('P13: the same tree has the same hash wherever and whenever it lies', () => {
    const first = hash()
    renameSync(tree, join(scratch.path, 'elsewhere'))
    utimesSync(join(scratch.path, 'elsewhere', 'a.js'), 1, 1)
    assert.equal(hash(join(scratch.path, 'elsewhere')), first)
  })

  it('P13: what has settled is remembered; a change is noticed also with the size and mtime of the old file', () => {
    const first = hash()
    assert.ok(existsSync(join(cacheDirectory(), 'plugins', 'trees.json')))
    assert.equal(hash(), first)
    utimesSync(join(tree, 'a.js'), 1000, 1000)
    const same = hash()
    assert.equal(same, first)
    writeFileSync(join(tree, 'a.js'), 'eno')
    utimesSync(join(tree, 'a.js'), 1000, 1000)
    assert.notEqual(hash(), first)
  })

  it('P13: what changed a moment ago is not remembered; a torn cache is none', () => {
    hash(tree, Date.now())
    assert.equal(existsSync(join(cacheDirectory(), 'plugins', 'trees.json')), false)
    const first = hash()
    scratch.write('cache/plugins/trees.json', '{"x')
    assert.equal(hash(), first)
  })
})
