import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {openTreeHashes} from '../../../../src/plugin/install/tree-hash.js'
import {untilNextFileTime} from '../../../support/file-time.js'
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
      untilNextFileTime(scratch.path)
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

  const memories = (): string[] => {
    const folder = join(cacheDirectory(), 'plugins', 'trees')
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
  }

  it('P13: what has settled is remembered; a change is noticed also with the size and mtime of the old file', () => {
    const first = hash()
    assert.equal(memories().length, 1)
    assert.equal(hash(), first)
    untilNextFileTime(scratch.path)
    utimesSync(join(tree, 'a.js'), 1000, 1000)
    const same = hash()
    assert.equal(same, first)
    untilNextFileTime(scratch.path)
    writeFileSync(join(tree, 'a.js'), 'eno')
    utimesSync(join(tree, 'a.js'), 1000, 1000)
    assert.notEqual(hash(), first)
  })

  it('P13: a tree that is remembered is not read again; every way to change it is noticed', () => {
    const elsewhere = join(scratch.path, 'elsewhere')
    const dependency = join(tree, 'node_modules', 'dep')
    mkdirSync(join(tree, 'empty'))
    const changes: Readonly<Record<string, () => void>> = {
      'a file that is written to': () => appendFileSync(join(dependency, 'd.js'), ' '),
      'a file that another takes the place of': () => {
        scratch.write('other', 'four!')
        renameSync(join(scratch.path, 'other'), join(dependency, 'd.js'))
      },
      'a new file in a folder': () => writeFileSync(join(dependency, 'new.js'), ''),
      'a first file in an empty folder': () => writeFileSync(join(tree, 'empty', 'new.js'), ''),
      'a new file in the root': () => writeFileSync(join(tree, 'new.js'), ''),
      'a file that goes': () => rmSync(join(dependency, 'd.js')),
      'a new name': () => renameSync(join(tree, 'b'), join(tree, 'c')),
      'a folder that a link takes the place of': () => {
        renameSync(dependency, elsewhere)
        symlinkSync(elsewhere, dependency)
      },
    }
    for (const [what, change] of Object.entries(changes)) {
      const before = hash()
      const [memory = ''] = memories()
      // A hash that is not the right one tells whether the memory was believed.
      writeFileSync(memory, readFileSync(memory, 'latin1').replace(before, 'remembered'), 'latin1')
      assert.equal(hash(), 'remembered', what)
      untilNextFileTime(scratch.path)
      change()
      assert.match(hash(), /^[0-9a-f]{64}$/, what)
      assert.notEqual(hash(), before, what)
    }
  })

  it('P13: the cwd is what it was, and may be gone', () => {
    const first = hash()
    const cwd = process.cwd()
    const gone = scratch.folder('gone')
    try {
      process.chdir(gone)
      assert.equal(hash(), first)
      assert.equal(process.cwd(), gone)
      rmSync(gone, {recursive: true})
      assert.equal(hash(), first)
    } finally {
      process.chdir(cwd)
    }
  })

  it('P13: what changed a moment ago is not remembered; a torn memory is none', () => {
    hash(tree, statSync(join(tree, 'a.js')).ctimeMs)
    assert.deepEqual(memories(), [])
    const first = hash()
    for (const text of [
      '{"x',
      'null',
      '{}',
      '{"format":3}\n',
      `{"format":3,"root":${JSON.stringify(tree)},"sha256":"0"}\n`,
      `{"format":3,"root":${JSON.stringify(tree)},"sha256":"0","folders":[1]}\n`,
      `{"format":3,"root":${JSON.stringify(tree)},"sha256":"0","folders":[["",""]]}\n`,
      readFileSync(memories()[0] ?? '').subarray(0, -1),
    ]) {
      writeFileSync(memories()[0] ?? '', text)
      assert.equal(hash(), first)
    }
  })
})
