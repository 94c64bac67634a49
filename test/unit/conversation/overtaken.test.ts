import assert from 'node:assert/strict'
import {existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {conversationIdOf} from '../../../src/platform/id-grammar.js'
import {openTestStore, writeConversation} from '../../support/conversations.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const name = '17750000001-x'
const id = conversationIdOf(17750000001)
const at = '2026-09-01 08:00:00.0'
const request = (content: string) => ({timestamp: at, type: 'chat_request', content})
const start = {timestamp: at, type: 'turn_start'}

describe('a newer copy that lacks events', () => {
  let scratch: Scratch
  let durable: string
  let projected: string
  let trash: string
  let warnings: string[]
  let open: () => ReturnType<typeof openTestStore>
  beforeEach(() => {
    scratch = createScratch()
    const root = scratch.checkout('app', 'a1b2c')
    const silo = scratch.folder('silo')
    durable = join(silo, 'conversations')
    projected = join(root, '.jp', 'conversations')
    trash = join(durable, '.trash')
    warnings = []
    open = () => openTestStore({root, silo, warn: (text) => warnings.push(text)})
  })
  afterEach(() => scratch.remove())

  /** The projection is written after the user-local copy, as git does. */
  const plant = (own: readonly object[], theirs: readonly object[]): Buffer => {
    const directory = writeConversation(durable, name, {events: own})
    for (const file of readdirSync(directory)) utimesSync(join(directory, file), 1000, 1000)
    writeConversation(projected, name, {events: theirs})
    return readFileSync(join(directory, 'events.json'))
  }
  const act = (): void => {
    const held = open().lock(id)
    held.append([{type: 'turn_start'}])
    held.changeMetadata({title: 'Another'})
    held.release()
  }
  const count = (): number => open().read(id).events.length

  it('W17, W18: it counts, and the user-local stream that it replaces is kept in the trash, once', () => {
    const before = plant([start, request('one'), start, request('two')], [start, request('one')])
    act()
    act()
    assert.equal(count(), 4)
    const kept = join(trash, name, 'events.json')
    assert.deepEqual(readFileSync(kept), before)
    assert.deepEqual(readdirSync(join(trash, name)).sort(), ['base_config.json', 'events.json'])
    const newer = join(projected, name, 'events.json')
    assert.deepEqual(warnings, [
      `${newer} is newer than the user-local copy and lacks events that it held. They are kept in ${kept}`,
    ])
  })

  it('W18: what two checkouts added to one beginning is kept on both sides', () => {
    const before = plant([start, request('ours')], [start, request('theirs')])
    act()
    assert.deepEqual(readFileSync(join(trash, name, 'events.json')), before)
  })

  it('W17: where nothing is lost, nothing is kept: a stream that goes on, the same one, one with events in between', () => {
    for (const theirs of [
      [start, request('one'), start, request('two')],
      [start, request('one')],
      [start, request('nought'), request('one')],
    ]) {
      plant([start, request('one')], theirs)
      act()
      for (const shelf of [durable, projected]) rmSync(shelf, {recursive: true})
    }
    assert.deepEqual(warnings, [])
    plant([], [start])
    act()
    assert.deepEqual([existsSync(trash), warnings], [false, []])
  })

  it('W18, W20: a damaged user-local stream may hold anything, and is kept', () => {
    plant([start, request('one')], [start])
    const path = join(durable, name, 'events.json')
    const cut = readFileSync(path).subarray(0, 60)
    writeFileSync(path, cut)
    utimesSync(path, 1000, 1000)
    act()
    assert.deepEqual(readFileSync(join(trash, name, 'events.json')), cut)
  })
})
