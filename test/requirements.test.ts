import assert from 'node:assert/strict'
import {globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {repository, sharedFolder} from './support/jp.js'

/** How many requirements each part of the specification has; they are numbered from 1 on. */
const parts: Readonly<Record<string, number>> = {W: 35, P: 30, S: 36, D: 32, Q: 36}
const reports = 58

const idIn = /\b(?:[WPSDQ]\d+|FR-\d+)\b/g

/** The first line of the title of every test and of every group of tests. */
const titles = (): readonly string[] =>
  globSync('test/**/*.test.ts', {cwd: repository}).flatMap((file) => {
    const text = readFileSync(join(repository, file), 'utf8')
    return [...text.matchAll(/\b(?:it|describe)\(\s*(['"`].*)/g)].map(([, title = '']) => title)
  })

describe('the requirements', () => {
  it('Q34: each is named in the title of a test, or on the page of those that are not, with the reason', () => {
    const expected = Object.entries(parts).flatMap(([part, count]) =>
      Array.from({length: count}, (_, index) => `${part}${index + 1}`),
    )
    const named = new Set(titles().flatMap((title) => title.match(idIn) ?? []))
    const page = readFileSync(join(repository, 'test', 'not-covered.md'), 'utf8')
    const excused = new Set(
      [...page.matchAll(/^\| ([WPSDQ][\w, ]+?) *\| \S/gm)].flatMap(([, ids = '']) => ids.match(idIn) ?? []),
    )
    assert.deepEqual(
      expected.filter((id) => !named.has(id) && !excused.has(id)),
      [],
    )
    assert.deepEqual(
      [...excused].filter((id) => named.has(id)),
      [],
      'on the page without need',
    )
  })

  it('Q34: every field report is reproduced by a test', () => {
    const named = new Set(titles().flatMap((title) => title.match(idIn) ?? []))
    const expected = Array.from({length: reports}, (_, index) => `FR-${String(index + 1).padStart(2, '0')}`)
    assert.deepEqual(
      expected.filter((id) => !named.has(id)),
      [],
    )
  })

  it('Q34, Q35: the numbers are those of the specification', function () {
    const shared = sharedFolder()
    if (shared === undefined) return this.skip()
    const text = globSync('spec/*.md', {cwd: shared})
      .map((file) => readFileSync(join(shared, file), 'utf8'))
      .join('\n')
    const ids = new Set([...text.matchAll(/\*\*([WPSDQ]\d+)\*\*/g)].map(([, id]) => id))
    assert.equal(
      ids.size,
      Object.values(parts).reduce((sum, count) => sum + count),
    )
  })
})
