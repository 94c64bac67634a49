import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {chmodSync} from 'node:fs'
import {join} from 'node:path'
import {createConversationLocks} from '../../../src/conversation/conversation-locks.js'
import {conversationRoots} from '../../../src/conversation/conversation-roots.js'
import {diagnose} from '../../../src/conversation/diagnosis.js'
import {grepConversation, grepPattern, grepScopes} from '../../../src/conversation/grep.js'
import {conversationIdOf} from '../../../src/platform/id-grammar.js'
import {openTestStore, writeConversation} from '../../support/conversations.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

/** Runs it as somebody whom permissions hold for. */
const asOther = <Result>(act: () => Result): Result => {
  if (process.getuid?.() !== 0) return act()
  process.seteuid?.(65534)
  try {
    return act()
  } finally {
    process.seteuid?.(0)
  }
}

describe('folders that may not be looked into', () => {
  let scratch: Scratch
  let root: string
  let silo: string
  let closed: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    silo = scratch.folder('silo')
    for (const number of [1, 2, 3]) writeConversation(join(silo, 'conversations'), `1775000000${number}`)
    closed = join(silo, 'conversations', '17750000002')
    execFileSync('chmod', ['-R', 'a+rX', scratch.path])
    chmodSync(closed, 0)
  })
  afterEach(() => {
    execFileSync('chmod', ['-R', 'u+rwX', scratch.path])
    scratch.remove()
  })

  const open = () => openTestStore({root, silo})
  const [first, second, third] = [17750000001, 17750000002, 17750000003].map(conversationIdOf)

  it('W20, FR-16: one of them is listed with its reason and harms no other, the first time and from the index', () => {
    const indexFile = join(scratch.folder('cache'), 'x.index')
    for (let number = 10; number < 40; number++) writeConversation(join(silo, 'conversations'), `177500000${number}`)
    const store = () => openTestStore({root, silo, indexFile, clock: {nowMs: () => Date.now() + 60_000}})
    chmodSync(closed, 0o755)
    store().list()
    chmodSync(closed, 0)
    for (const each of [open, store]) {
      const {entries, corrupt} = asOther(() => each().list())
      assert.equal(entries.length, 32)
      const reason = `Can't read ${join(closed, 'metadata.json')}: permission denied.`
      assert.deepEqual(corrupt, [{id: second, directory: closed, reason}])
    }
  })

  it('W20, FR-16: a search goes on behind it, and whoever reads it is told why', () => {
    const query = {
      pattern: grepPattern(['hello'], {isRegex: false, ignoreCase: true}),
      scopes: new Set(grepScopes),
      context: 0,
      maxMatches: undefined,
    }
    asOther(() => {
      const located = [...open().located()]
      assert.deepEqual(
        located.map(({id}) => id),
        [first, second, third],
      )
      const search = (place: number): number => {
        const found = located[place]
        return found === undefined ? 0 : [...grepConversation(found, undefined, query)].length
      }
      assert.deepEqual([search(0), search(2)], [1, 1])
      assert.throws(() => search(1), {code: 'file_unreadable'})
      assert.throws(() => open().read(conversationIdOf(17750000002)), {code: 'file_unreadable'})
    })
  })

  it('W20: jp doctor names it and leaves it as it is; a whole shelf too', () => {
    const roots = conversationRoots(root, silo)
    const find = () =>
      asOther(() => {
        const deps = {root, silo, clock: {nowMs: () => 0}, pid: process.pid}
        return diagnose(roots, createConversationLocks(roots, deps)).map(({code, path, remedy}) => [
          code,
          path,
          remedy.kind,
        ])
      })
    assert.deepEqual(find(), [['unreadable', closed, 'none']])
    const shelf = join(silo, 'conversations')
    chmodSync(shelf, 0)
    assert.deepEqual(find(), [
      ['unreadable', shelf, 'none'],
      ['unreadable', join(shelf, '.archive'), 'none'],
    ])
  })
})
