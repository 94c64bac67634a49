import assert from 'node:assert/strict'
import {mkdirSync, rmdirSync, writeFileSync} from 'node:fs'
import {join, sep} from 'node:path'
import {readText} from '../../../src/platform/files.js'
import {byPath, fromWithin} from '../../../src/platform/look-into.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

describe('looking into folders', () => {
  let scratch: Scratch
  let home: string
  const places = (): readonly {readonly folder: string}[] =>
    ['a', 'b'].map((name) => ({folder: join(scratch.path, name)}))
  beforeEach(() => {
    home = process.cwd()
    scratch = createScratch()
    for (const {folder} of places()) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'name'), folder)
    }
  })
  afterEach(() => {
    process.chdir(home)
    scratch.remove()
  })

  it('S30, P13: each is reached, from within or by its whole path, and the process is where it was', () => {
    for (const lookInto of [byPath, fromWithin]) {
      const seen: string[] = []
      lookInto(places(), ({folder}, prefix) => {
        assert.equal(readText(`${prefix}name`), folder)
        seen.push(prefix)
      })
      assert.deepEqual(seen, lookInto === byPath ? places().map(({folder}) => folder + sep) : ['', ''])
      assert.equal(process.cwd(), home)
    }
  })

  it('S30, P13: a look that fails leaves the process where it was; a folder that is gone is named by its path', () => {
    const failing = (): never => {
      throw new TypeError('a look')
    }
    assert.throws(() => fromWithin(places(), failing), TypeError)
    assert.equal(process.cwd(), home)
    const gone = join(scratch.path, 'gone')
    fromWithin([{folder: gone}], (_, prefix) => assert.equal(prefix, gone + sep))
  })

  it('S30, P13: where one could not come back, it looks from where it stands', () => {
    const removed = join(scratch.path, 'removed')
    mkdirSync(removed)
    process.chdir(removed)
    rmdirSync(removed)
    fromWithin(places(), ({folder}, prefix) => assert.equal(prefix, folder + sep))
  })
})
