import assert from 'node:assert/strict'
import {appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {ConversationStore} from '../../../src/conversation/store.js'
import {openTestStore, writeConversation} from '../../support/conversations.js'
import {untilNextFileTime} from '../../support/file-time.js'
import {random, seed} from '../../support/fuzz.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

/** Enough for the names on both shelves to be remembered. */
const count = 300
const steps = process.env['JP_SOAK'] === '1' ? 1000 : 60
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item

describe(`a large store (seed ${seed}, ${steps} steps)`, () => {
  let scratch: Scratch
  before(() => {
    scratch = createScratch()
  })
  after(() => scratch.remove())

  it('S30, W17, W21: a listing that remembers says what one says that reads it all', () => {
    const root = scratch.checkout('app', 'a1b2c')
    const silo = scratch.folder('silo')
    const indexFile = join(scratch.path, 'cache', 'x.index')
    const shelves = [join(silo, 'conversations'), join(root, '.jp', 'conversations')]
    const [durable = '', projected = ''] = shelves
    for (let number = 0; number < count; number++)
      for (const shelf of shelves) writeConversation(shelf, `${17750000000 + number}-x`, {title: `T${number}`})
    // The clock is ahead, so that all counts as at rest: nothing but the stamps tells what is new.
    const open = (index?: string): ConversationStore =>
      openTestStore({root, silo, indexFile: index, clock: {nowMs: () => Date.now() + 60_000}})
    const cwd = process.cwd()
    const conversationsOn = (shelf: string): string[] => readdirSync(shelf).filter((name) => !name.startsWith('.'))
    let next = count
    const acts: Readonly<Record<string, (shelf: string, name: string) => void>> = {
      create: (shelf) => writeConversation(shelf, `${17750000000 + next++}-new`, {title: 'New'}),
      project: (shelf, name) => {
        if (shelf === durable) cpSync(join(shelf, name), join(projected, name), {recursive: true})
      },
      remove: (shelf, name) => rmSync(join(shelf, name), {recursive: true}),
      rename: (shelf, name) => renameSync(join(shelf, name), join(shelf, `${name.split('-')[0]}-${random()}`)),
      archive(shelf, name) {
        mkdirSync(join(shelf, '.archive'), {recursive: true})
        renameSync(join(shelf, name), join(shelf, '.archive', name))
      },
      editInPlace: (shelf, name) =>
        writeFileSync(
          join(shelf, name, 'metadata.json'),
          JSON.stringify({title: `E${random()}`, last_activated_at: '2026-09-01 08:00:00.0'}),
        ),
      damage: (shelf, name) => appendFileSync(join(shelf, name, 'events.json'), 'x'),
      touchBase: (shelf, name) => writeFileSync(join(shelf, name, 'base_config.json'), '{}'),
      record: (_shelf, name) => {
        if (existsSync(join(durable, name)))
          writeFileSync(join(durable, name, 'metadata.local.json'), JSON.stringify({last_root: {path: `/${random()}`}}))
      },
      stray: (shelf) => mkdirSync(join(shelf, `stray-${next++}`)),
    }
    const store = open(indexFile)
    for (let step = 0; step < steps; step++) {
      untilNextFileTime(scratch.path)
      const [act, shelf] = [pick(Object.keys(acts)), pick(shelves)]
      acts[act]?.(shelf, pick(conversationsOn(shelf)))
      // Every now and then a process of its own has the shelves and the index to itself.
      for (const one of random() < 0.3 ? [store, open(indexFile)] : [open(indexFile)])
        assert.deepEqual(one.list(), open().list(), `step ${step}: ${act}`)
    }
    assert.ok(existsSync(`${indexFile}.shelves`))
    assert.equal(process.cwd(), cwd)
  })
})
