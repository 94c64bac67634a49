import assert from 'node:assert/strict'
import {existsSync, lstatSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {ConversationStore} from '../../../src/conversation/store.js'
import {hasCode} from '../../../src/errors/jp-error.js'
import {conversationIdOf} from '../../../src/platform/id-grammar.js'
import {openTestStore, writeConversation} from '../../support/conversations.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const id = conversationIdOf(17750000001)

describe('drafts', () => {
  let scratch: Scratch
  let root: string
  let silo: string
  let store: ConversationStore
  let path: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    silo = scratch.folder('silo')
    store = openTestStore({root, silo})
    path = join(writeConversation(join(silo, 'conversations'), '17750000001-x', {title: 'X'}), 'QUERY_MESSAGE.md')
  })
  afterEach(() => scratch.remove())

  it('W22: are written, replaced and removed by who knows the stored one; another is kept and given back', async () => {
    assert.equal(store.drafts.read(id), undefined)
    const first = await store.drafts.write(id, 'one', undefined)
    assert.equal(first.state, 'written')
    const stale = await store.drafts.write(id, 'two', undefined)
    assert.deepEqual(stale, {state: 'conflict', draft: first.draft})
    assert.equal(readFileSync(path, 'utf8'), 'one')
    const second = await store.drafts.write(id, 'two', first.draft?.revision)
    assert.equal(store.drafts.read(id)?.content, 'two')
    await assert.rejects(store.drafts.remove(id, first.draft?.revision), (error) => hasCode(error, 'draft_conflict'))
    assert.equal(readFileSync(path, 'utf8'), 'two')
    await store.drafts.write(id, '', second.draft?.revision)
    assert.ok(!existsSync(path))
    assert.equal(lstatSync(join(silo, 'conversations')).isDirectory(), true)
  })

  it('W22: the revision covers what stands below the marker, the content does not', async () => {
    const marker = `${'-'.repeat(39)}8<${'-'.repeat(39)}`
    writeFileSync(path, `text\n\n${marker}\nbelow`)
    const before = store.drafts.read(id)
    writeFileSync(path, `text\n\n${marker}\nbelow!`)
    const after = store.drafts.read(id)
    assert.deepEqual([before?.content, after?.content], ['text', 'text'])
    assert.notEqual(before?.revision, after?.revision)
  })

  it('W22, S22, S23: stand in the user-local folder alone, 0600, and go along with a new title and an import', async () => {
    writeConversation(join(root, '.jp', 'conversations'), '17750000002-pulled', {title: 'Pulled'})
    const pulled = conversationIdOf(17750000002)
    await store.drafts.write(pulled, 'imported first', undefined)
    assert.deepEqual(readdirSync(join(root, '.jp', 'conversations', '17750000002-pulled')).length, 3)
    assert.equal(lstatSync(join(silo, 'conversations', '17750000002-pulled', 'QUERY_MESSAGE.md')).mode & 0o777, 0o600)
    const held = store.lock(pulled)
    held.changeMetadata({title: 'Renamed'})
    held.release()
    assert.equal(store.drafts.read(pulled)?.content, 'imported first')
  })

  it('W22: one that is being composed has a draft before it is stored, and keeps it', async () => {
    const held = store.create({title: 'New'})
    await store.drafts.write(held.id, 'soon', undefined)
    assert.deepEqual([store.list().entries.length, store.list().corrupt], [1, []])
    held.append([{type: 'turn_start'}])
    held.release()
    assert.equal(store.drafts.read(held.id)?.content, 'soon')
    assert.equal(store.read(held.id).title, 'New')
  })

  it('W22: without user-local storage there is none, and writing one is refused', async () => {
    const checkoutOnly = openTestStore({root, silo: undefined})
    assert.equal(checkoutOnly.drafts.read(id), undefined)
    await assert.rejects(checkoutOnly.drafts.write(id, 'x', undefined), (error) => hasCode(error, 'draft_unavailable'))
  })

  it('W22: removing a conversation whose draft changed since it was seen removes nothing', async () => {
    const first = await store.drafts.write(id, 'one', undefined)
    await store.drafts.write(id, 'two', first.draft?.revision)
    assert.throws(
      () => store.remove(id, first.draft?.revision),
      (error) => hasCode(error, 'draft_conflict'),
    )
    assert.equal(store.read(id).title, 'X')
    assert.equal(readFileSync(path, 'utf8'), 'two')
    assert.deepEqual(readdirSync(join(silo, 'locks')), [])
  })
})
