import assert from 'node:assert/strict'
import {existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {openShelfMemory} from '../../../src/conversation/shelf-memory.js'
import {untilNextFileTime} from '../../support/file-time.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

/** As many folders as are worth remembering. */
const names = Array.from({length: 256}, (_, number) => `${17750000000 + number}-x`)

describe('the memory of shelves', () => {
  let scratch: Scratch
  let shelf: string
  let file: string
  /** Of another process. The clock is ahead, so that folders count as at rest. */
  const list = (nowMs = Date.now() + 60_000): readonly string[] => {
    const memory = openShelfMemory(file, () => nowMs)
    const listed = [...memory.list(shelf)].sort()
    memory.save()
    return listed
  }
  beforeEach(() => {
    scratch = createScratch()
    shelf = scratch.folder('shelf')
    file = join(scratch.path, 'cache', 'x.shelves')
    for (const name of names) mkdirSync(join(shelf, name))
    writeFileSync(join(shelf, 'a-file'), '')
    symlinkSync(join(shelf, 'a-file'), join(shelf, '17750000999-link'))
  })
  afterEach(() => scratch.remove())

  it('S30: a shelf that has its stamp is not read again', () => {
    assert.deepEqual(list(), names)
    writeFileSync(file, readFileSync(file, 'utf8').replace('17750000007-x', '17750000007-remembered'))
    assert.equal(list()[7], '17750000007-remembered')
  })

  it('S30: what comes, goes and is renamed is seen at once', () => {
    list()
    untilNextFileTime(scratch.path)
    mkdirSync(join(shelf, '17750000300-y'))
    assert.deepEqual(list(), [...names, '17750000300-y'])
    untilNextFileTime(scratch.path)
    renameSync(join(shelf, '17750000300-y'), join(shelf, '17750000300-z'))
    assert.deepEqual(list(), [...names, '17750000300-z'])
    untilNextFileTime(scratch.path)
    rmdirSync(join(shelf, '17750000300-z'))
    assert.deepEqual(list(), names)
    renameSync(shelf, `${shelf}-away`)
    assert.deepEqual(list(), [])
  })

  it('S30: a shelf that changed a moment ago, and a small one, are not remembered', () => {
    list(Date.now())
    assert.equal(existsSync(file), false)
    rmdirSync(join(shelf, names[0] ?? ''))
    list()
    assert.equal(existsSync(file), false)
  })

  it('FR-15: a damaged or cut memory, or one that can not be written, changes nothing', () => {
    list()
    const whole = readFileSync(file, 'utf8')
    for (const damaged of ['', '{', whole.slice(0, -20), whole.replace('"format":1', '"format":9'), 'x\ny/z']) {
      writeFileSync(file, damaged)
      assert.deepEqual(list(), names)
    }
    const inTheWay = join(scratch.path, 'cache', 'y.shelves')
    mkdirSync(inTheWay)
    file = inTheWay
    assert.deepEqual(list(), names)
  })
})
