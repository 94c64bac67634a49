import assert from 'node:assert/strict'
import {mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {ConversationStore} from '../../../src/conversation/store.js'
import {openTestStore, writeConversation} from '../../support/conversations.js'
import {untilNextFileTime} from '../../support/file-time.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const name = (number: number): string => `1775000001${number}`

describe('the listings of a process that lists again and again', () => {
  let scratch: Scratch
  let root: string
  let durable: string
  let live: string
  let host: ConversationStore
  let other: ConversationStore
  let elapsedMs: number
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    const silo = scratch.folder('silo')
    durable = join(silo, 'conversations')
    live = join(root, '.jp', 'conversations')
    for (let number = 0; number < 3; number++) writeConversation(durable, name(number), {title: `T${number}`})
    writeConversation(live, name(2), {title: 'T2'})
    elapsedMs = 0
    // The clock is ahead, so that files count as at rest.
    const clock = {nowMs: () => Date.now() + 60_000}
    host = openTestStore({root, silo, clock, elapsedMs: () => elapsedMs})
    other = openTestStore({root, silo})
    // The first listing reads, the second one looks at every file, the third one glances.
    for (let look = 0; look < 3; look++) assert.deepEqual(titles(), ['T0', 'T1', 'T2'])
  })
  afterEach(() => scratch.remove())

  const titles = (): readonly (string | null)[] => host.list().entries.map(({listed}) => listed.title)
  const tick = (): void => untilNextFileTime(scratch.path)
  const change = (id: string, act: (held: ReturnType<ConversationStore['lock']>) => void): void => {
    tick()
    const held = other.lock(`jp-c${id}` as never)
    act(held)
    held.release()
  }

  it('S30, Q16: what another jp writes is in the next listing', () => {
    change(name(0), (held) => held.changeMetadata({pinnedAtMs: Date.UTC(2026, 8, 1)}))
    assert.ok(host.list().entries[0]?.listed.pinned_at)
    change(name(1), (held) => held.append([{type: 'turn_start'}]))
    const counts = host.list().entries.map(({listed}) => listed.events_count)
    assert.equal((counts[1] ?? 0) - (counts[0] ?? 0), 1)
    change(name(1), (held) => held.recordRoot(root))
    assert.equal(host.list().entries[1]?.listed.last_root?.path, root)
    change(name(0), (held) => held.changeMetadata({title: 'Renamed'}))
    assert.deepEqual(titles(), ['Renamed', 'T1', 'T2'])
    change(name(0), (held) => held.setArchived(true))
    assert.deepEqual(titles(), ['T1', 'T2'])
  })

  it('S30: what comes, goes and is put in another place shows at once', () => {
    tick()
    writeConversation(durable, name(4), {title: 'T4'})
    assert.deepEqual(titles(), ['T0', 'T1', 'T2', 'T4'])
    tick()
    rmSync(join(durable, name(1)), {recursive: true})
    assert.deepEqual(titles(), ['T0', 'T2', 'T4'])
    tick()
    renameSync(join(durable, name(4)), join(durable, name(5)))
    assert.deepEqual(
      host.list().entries.map(({id}) => id),
      [name(0), name(2), name(5)].map((id) => `jp-c${id}`),
    )
    tick()
    mkdirSync(join(live, '.archive'))
    renameSync(join(durable, name(0)), join(live, '.archive', name(0)))
    assert.deepEqual(
      host.list({archived: true}).entries.map(({listed}) => listed.title),
      ['T0'],
    )
    renameSync(live, join(root, 'elsewhere'))
    symlinkSync(join(root, 'elsewhere'), live)
    assert.throws(() => host.list(), {code: 'file_refused'})
  })

  it('S30: a file that another program writes in place shows within a tenth of a second', () => {
    const file = join(durable, name(1), 'metadata.json')
    tick()
    writeFileSync(file, '{"title": "Edited", "last_activated_at": "2026-09-01 08:00:00.0"}')
    elapsedMs = 99
    assert.deepEqual(titles(), ['T0', 'T1', 'T2'])
    elapsedMs = 100
    assert.deepEqual(titles(), ['T0', 'Edited', 'T2'])
  })

  it('S30: folders that changed a moment ago are not trusted: a second change could bear the same time', () => {
    const clock = {nowMs: () => statSync(durable).ctimeMs}
    const store = openTestStore({root, silo: join(durable, '..'), clock, elapsedMs: () => 0})
    for (let look = 0; look < 3; look++) store.list()
    writeFileSync(
      join(durable, name(1), 'metadata.json'),
      '{"title": "Edited", "last_activated_at": "2026-09-01 08:00:00.0"}',
    )
    assert.equal(store.list().entries[1]?.listed.title, 'Edited')
  })
})
