import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {decodeRows, encodeRows} from '../../../src/conversation/listing-codec.js'
import type {ConversationStore} from '../../../src/conversation/store.js'
import {type ConversationId, conversationIdOf} from '../../../src/platform/id-grammar.js'
import {openTestStore, writeConversation} from '../../support/conversations.js'
import {untilNextFileTime} from '../../support/file-time.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

/** Enough conversations for the index to be written. */
const count = 20
const name = (number: number): string => `177500000${number + 10}-x`
const ids = Array.from({length: count}, (_, number) => conversationIdOf(17750000010 + number))

describe('the index of listings', () => {
  let scratch: Scratch
  let root: string
  let silo: string
  let durable: string
  let indexFile: string
  /** A store of another process: it starts from the index file. The clock is ahead, so that files count as at rest. */
  const fresh = (): ConversationStore =>
    openTestStore({root, silo, indexFile, clock: {nowMs: () => Date.now() + 60_000}})
  const titles = (store: ConversationStore): readonly (string | null)[] =>
    store.list().entries.map(({listed}) => listed.title)
  const metadataOf = (number: number): string => join(durable, name(number), 'metadata.json')
  const withTitle = (title: string): string =>
    `${JSON.stringify({title, last_activated_at: '2026-09-01 08:00:00.0'}, undefined, 2)}\n`

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    silo = scratch.folder('silo')
    durable = join(silo, 'conversations')
    indexFile = join(scratch.path, 'cache', 'x.index')
    for (let number = 0; number < count; number++) writeConversation(durable, name(number), {title: `T${number}`})
    fresh().list()
    assert.ok(existsSync(indexFile))
  })
  afterEach(() => scratch.remove())

  it('S30, W21: is used: files whose stamps are the same are not read again', () => {
    const rows = decodeRows(readFileSync(indexFile))
    const forged = ids.map((id) => {
      const row = rows?.find(id)
      assert.ok(row)
      const read = row.read()
      const metadata = {...read.metadata, title: `${read.metadata.title} remembered`}
      return [id, {...row, read: () => ({...read, metadata})}] as const
    })
    writeFileSync(indexFile, encodeRows(new Map(forged)))
    assert.equal(titles(fresh())[3], 'T3 remembered')
    const index = readFileSync(indexFile, 'latin1')
    writeFileSync(indexFile, index.replace('"T3 ', '"Z3 '), 'latin1')
    assert.equal(titles(fresh())[3], 'T3', 'a damaged index is no index')
  })

  it('S30: what it holds is found in any order', () => {
    const rows = decodeRows(readFileSync(indexFile))
    const titleOf = (id: ConversationId): string | undefined => rows?.find(id)?.read().metadata.title
    const [first, second, third] = ids
    assert.ok(first !== undefined && second !== undefined && third !== undefined)
    assert.deepEqual([third, first, second, third, third].map(titleOf), ['T2', 'T0', 'T1', 'T2', 'T2'])
    assert.equal(titleOf(conversationIdOf(1)), undefined)
    assert.deepEqual(
      ids.map(titleOf),
      [...ids.keys()].map((number) => `T${number}`),
    )
  })

  it('S30: another writer is seen at once, however it writes', () => {
    const edits: readonly (readonly [what: string, edit: () => void])[] = [
      ['in place, same length', () => writeFileSync(metadataOf(1), withTitle('A1'))],
      [
        'replaced',
        () => {
          writeFileSync(`${metadataOf(2)}.new`, withTitle('Replaced'))
          renameSync(`${metadataOf(2)}.new`, metadataOf(2))
        },
      ],
      [
        'with its old mtime',
        () => {
          const {atime, mtime} = statSync(metadataOf(3))
          writeFileSync(metadataOf(3), withTitle('C3'))
          utimesSync(metadataOf(3), atime, mtime)
        },
      ],
      [
        'by the projection',
        () => {
          writeConversation(join(root, '.jp', 'conversations'), name(4), {title: 'Pulled'})
        },
      ],
      ['removed', () => rmSync(join(durable, name(5)), {recursive: true})],
      [
        'archived',
        () => {
          mkdirSync(join(durable, '.archive'))
          renameSync(join(durable, name(6)), join(durable, '.archive', name(6)))
        },
      ],
    ]
    untilNextFileTime(scratch.path)
    for (const [, edit] of edits) edit()
    const expected = [
      'T0',
      'A1',
      'Replaced',
      'C3',
      'Pulled',
      ...Array.from({length: 13}, (_, index) => `T${index + 7}`),
    ]
    assert.deepEqual(titles(fresh()), expected)
    assert.deepEqual(
      fresh()
        .list({archived: true})
        .entries.map(({listed}) => listed.title),
      ['T6'],
    )
  })

  it('S26, S30: a new record of where it last ran, and a checkout that goes, are seen at once', () => {
    untilNextFileTime(scratch.path)
    writeFileSync(join(durable, name(0), 'metadata.local.json'), JSON.stringify({last_root: {path: root}}))
    assert.deepEqual(fresh().list().entries[0]?.listed.last_root, {path: root, live: true})
    const gone = openTestStore({root, silo, indexFile, isLive: () => false, clock: {nowMs: () => Date.now() + 60_000}})
    assert.deepEqual(gone.list().entries[0]?.listed.last_root, {path: root, live: false})
  })

  it('S30: one store sees what another process wrote between two of its listings', () => {
    const store = fresh()
    assert.equal(store.list().entries[1]?.listed.title, 'T1')
    untilNextFileTime(scratch.path)
    writeFileSync(metadataOf(1), withTitle('A1'))
    assert.equal(store.list().entries[1]?.listed.title, 'A1')
    untilNextFileTime(scratch.path)
    appendFileSync(join(durable, name(2), 'events.json'), 'x')
    assert.deepEqual(
      store.list().corrupt.map(({id}) => id),
      ['jp-c17750000012'],
    )
  })

  it('S30, W17: where two different streams compete, a base configuration that is touched decides anew', () => {
    const projected = join(root, '.jp', 'conversations')
    const one = [{timestamp: '2026-09-01 08:00:00.0', type: 'turn_start'}]
    writeConversation(projected, name(0), {title: 'T0', events: one})
    const touch = (shelf: string, file: string, seconds: number): void =>
      utimesSync(join(shelf, name(0), file), seconds, seconds)
    for (const file of ['base_config.json', 'events.json']) {
      touch(durable, file, 1000)
      touch(projected, file, 2000)
    }
    const store = fresh()
    const count = (): number | undefined => store.list().entries[0]?.listed.events_count
    assert.deepEqual([count(), count()], [1, 1])
    touch(durable, 'base_config.json', 3000)
    assert.deepEqual([count(), count()], [3, 3])
  })

  it('S30, W17: labels, pins, odd titles and two equal copies come back from the index as they were', () => {
    const rare = [
      {title: 'Ünïcode | "x"', pinned_at: '2026-09-02 08:00:00.25'},
      {labels: {a: '', b: 'c'}, expires_at: '2026-09-03 08:00:00.0'},
      {},
    ]
    for (const [number, keys] of rare.entries()) {
      const text = JSON.stringify({...keys, last_activated_at: '2026-09-01 08:00:00.0'})
      for (const shelf of [durable, join(root, '.jp', 'conversations')]) {
        writeConversation(shelf, name(number))
        writeFileSync(join(shelf, name(number), 'metadata.json'), text)
      }
      writeFileSync(
        join(durable, name(number), 'metadata.local.json'),
        JSON.stringify({last_root: {path: `/${number}`}}),
      )
    }
    rmSync(indexFile)
    const first = fresh().list()
    assert.ok(existsSync(indexFile))
    assert.deepEqual(fresh().list(), first)
    assert.deepEqual(openTestStore({root, silo}).list(), first)
  })

  it('S30: what changed a moment ago is not remembered', () => {
    const now = openTestStore({root, silo, clock: {nowMs: () => Date.now()}})
    for (let time = 0; time < 50; time++) {
      writeFileSync(metadataOf(1), withTitle(`V${time % 10}`))
      assert.equal(titles(now)[1], `V${time % 10}`)
    }
  })

  it('FR-15: a damaged, cut or foreign index, or one that can not be written, changes nothing', () => {
    const whole = readFileSync(indexFile)
    const expected = titles(fresh())
    for (const end of [0, 1, 31, 32, 77, whole.length - 1]) {
      writeFileSync(indexFile, whole)
      truncateSync(indexFile, end)
      assert.deepEqual(titles(fresh()), expected)
    }
    writeFileSync(indexFile, 'something else entirely, but long enough to have a header')
    assert.deepEqual(titles(fresh()), expected)
    rmSync(indexFile)
    mkdirSync(indexFile)
    assert.deepEqual(titles(fresh()), expected)
  })
})
