import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {configLayers} from '../../../src/conversation/config-layers.js'
import {JpError} from '../../../src/errors/jp-error.js'
import {type ConversationId, parseConversationId} from '../../../src/platform/id-grammar.js'
import {createTestClock, openTestStore, plantFixtures, writeConversation} from '../../support/conversations.js'
import {sharedFolder} from '../../support/jp.js'
import {createScratch, listing, type Scratch} from '../../support/scratch.js'

const idOf = (text: string): ConversationId => {
  const id = parseConversationId(text)
  assert.ok(id !== undefined)
  return id
}

const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof JpError, String(error))
    return error.code
  }
  return 'none'
}

describe('the conversation store', () => {
  let scratch: Scratch
  let root: string
  let silo: string
  let live: string
  let durable: string

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    silo = scratch.folder('home/.local/share/jp/workspace/app-a1b2c')
    live = join(root, '.jp', 'conversations')
    durable = join(silo, 'conversations')
  })
  afterEach(() => scratch.remove())

  it('W17, W18: reading then writing every conversation gives the same bytes, and the files keep their mtimes', () => {
    const ids = plantFixtures(root)
    const before = listing(live)
    const store = openTestStore({root, silo})
    for (const id of Object.values(ids).map(idOf)) {
      const held = store.lock(id, {archived: true})
      held.changeMetadata({})
      held.release()
    }
    assert.deepEqual(listing(live), before)
    for (const [name, id] of Object.entries(ids)) {
      const folder = name === 'no-turn-start' ? join(durable, '.archive') : durable
      const [copy] = readdirSync(folder).filter((entry) => entry.startsWith(id.slice(4)))
      for (const file of readdirSync(join(folder, copy ?? '')))
        assert.deepEqual(
          readFileSync(join(folder, copy ?? '', file)),
          readFileSync(join(live, name === 'no-turn-start' ? '.archive' : '.', copy ?? '', file)),
        )
    }
  })

  it('W17, W18: the real workspace: 6 live and 1 archived conversation, each appended to without losing a byte', function () {
    const shared = sharedFolder()
    if (shared === undefined) return this.skip()
    cpSync(join(shared, 'fixtures', 'real-workspace', '.jp'), join(root, '.jp'), {recursive: true})
    execFileSync('chmod', ['-R', 'u+w', root])
    const store = openTestStore({root, silo})
    assert.equal(store.list().entries.length, 6)
    assert.equal(store.list({archived: true}).entries.length, 1)
    assert.deepEqual(store.list().corrupt, [])
    for (const entry of [...store.list().entries, ...store.list({archived: true}).entries]) {
      const before = store.read(entry.id)
      const [path] = execFileSync('find', [live, '-path', `*${entry.id.slice(4)}*/events.json`], {
        encoding: 'utf8',
      }).split('\n')
      const bytes = readFileSync(path ?? '', 'utf8')
      const held = store.lock(entry.id, {archived: true})
      held.append([{type: 'turn_start'}, {type: 'chat_request', content: 'go on'}])
      held.release()
      const after = store.read(entry.id)
      assert.deepEqual(
        after.events.slice(0, -2).map((event) => event.text),
        before.events.map((event) => event.text),
      )
      assert.ok(readFileSync(path ?? '', 'utf8').startsWith(bytes.slice(0, bytes.lastIndexOf('\n]'))))
      assert.equal(after.events.length, entry.listed.events_count + 2)
    }
  })

  it('W17: each legacy shape is read as what it stands for', () => {
    const ids = plantFixtures(root)
    const store = openTestStore({root, silo})
    const read = (name: string) => store.read(idOf(ids[name] ?? ''))
    assert.deepEqual(configLayers(read('legacy-inline-delta')), [
      {inherit: true, config_load_paths: ['.jp/config'], assistant: {request: {cache: true}}},
    ])
    assert.deepEqual(configLayers(read('legacy-first-delta')), [{conversation: {tools: {'*': {enable: true}}}}, {}])
    assert.deepEqual(configLayers(read('every-type')), [
      {inherit: true, assistant: {name: 'dev'}},
      {assistant: {model: {id: 'echo/echo'}}},
    ])
    const tool = read('no-turn-start').events[1]?.known
    assert.deepEqual(tool?.type === 'tool_call_request' ? tool.arguments : undefined, {})
    const unknown = read('every-type').events.find((event) => event.type === 'hologram')
    assert.equal(unknown?.known, undefined)
    assert.equal(read('unanswered-inquiry').events.length, 4)
    assert.equal(store.list().entries.length, 4)
    assert.equal(store.list({archived: true}).entries[0]?.listed.title, 'Archived of old')
  })

  it('W17: a new conversation appears with its first event, whole, in both roots; a local one in the silo only', () => {
    const store = openTestStore({root, silo})
    const shared = store.create({title: 'Shared one', baseConfig: {assistant: {name: 'dev'}}})
    const local = store.create({local: true})
    assert.ok(!existsSync(durable))
    assert.equal(shared.read().title, 'Shared one')
    for (const held of [shared, local]) {
      held.append([{type: 'turn_start'}, {type: 'chat_request', content: 'hi'}])
      held.release()
    }
    const name = `${shared.id.slice(4)}-shared-one`
    assert.deepEqual(readdirSync(live), [name])
    assert.deepEqual(readdirSync(durable), [name, local.id.slice(4)].sort())
    assert.equal(
      readFileSync(join(durable, name, 'metadata.json'), 'utf8'),
      '{\n  "title": "Shared one",\n  "last_activated_at": "2026-09-01 08:00:00.0"\n}\n',
    )
    assert.equal(
      readFileSync(join(live, name, 'base_config.json'), 'utf8'),
      '{\n  "assistant": {\n    "name": "dev"\n  }\n}\n',
    )
    assert.deepEqual(
      store.list().entries.map((entry) => [entry.listed.title, entry.presence]),
      [
        ['Shared one', 'projected'],
        [null, 'user-local'],
      ],
    )
  })

  it('W21, FR-19: creations in one tick get ids of their own', () => {
    const store = openTestStore({root, silo})
    writeConversation(live, '17882496001-taken')
    const held = Array.from({length: 5}, () => store.create())
    assert.deepEqual(
      held.map(({id}) => id),
      ['jp-c17882496000', 'jp-c17882496002', 'jp-c17882496003', 'jp-c17882496004', 'jp-c17882496005'],
    )
    for (const lock of held) lock.release()
    assert.deepEqual(readdirSync(join(silo, 'locks')), [])
  })

  it('W17, FR-21: the newer copy wins unit by unit, a tie goes to the user-local store, every time', () => {
    const name = '17750000001-both'
    const ours = writeConversation(durable, name, {title: 'durable'})
    const theirs = writeConversation(live, name, {title: 'projected', events: []})
    const id = idOf('jp-c17750000001')
    const store = openTestStore({root, silo})
    const stamp = (directory: string, files: readonly string[], seconds: number): void => {
      for (const file of files) utimesSync(join(directory, file), seconds, seconds)
    }
    const all = ['metadata.json', 'base_config.json', 'events.json']
    const seen = () => [store.read(id).title, store.read(id).events.length]
    stamp(ours, all, 1000)
    stamp(theirs, all, 1000)
    for (let time = 0; time < 100; time++) assert.deepEqual(seen(), ['durable', 3])
    stamp(theirs, ['metadata.json'], 1001)
    assert.deepEqual(seen(), ['projected', 3])
    stamp(theirs, ['metadata.json'], 999)
    stamp(theirs, ['base_config.json'], 1001)
    assert.deepEqual(seen(), ['durable', 0])
    execFileSync('touch', ['-d', '@1001.000000001', join(theirs, 'base_config.json')])
    execFileSync('touch', ['-d', '@1001.000000002', join(ours, 'base_config.json')])
    assert.deepEqual(seen(), ['durable', 3])
  })

  it('S19, S21, S23, S24: the last-root record is written, kept through a title change, and keeps what it does not know', () => {
    const store = openTestStore({root, silo, isLive: (path) => path === root})
    const held = store.create({title: 'One'})
    held.recordRoot(root)
    held.append([{type: 'turn_start'}])
    assert.deepEqual(held.lastRoot(), {path: root, last_used: '2026-09-01T08:00:00.000Z', live: true})
    const directory = join(durable, `${held.id.slice(4)}-one`)
    writeFileSync(
      join(directory, 'metadata.local.json'),
      '{\n  "future": {"n": 1.50},\n  "last_root": {\n    "path": "/gone",\n    "last_used": "2026-01-01T00:00:00Z",\n    "branch": "x"\n  }\n}\n',
    )
    writeFileSync(join(directory, 'QUERY_MESSAGE.md'), 'draft')
    assert.deepEqual(store.read(held.id).lastRoot, {path: '/gone', last_used: '2026-01-01T00:00:00Z', live: false})
    held.changeMetadata({title: 'Two words'})
    held.recordRoot(root)
    held.release()
    const moved = join(durable, `${held.id.slice(4)}-two-words`)
    assert.equal(
      readFileSync(join(moved, 'metadata.local.json'), 'utf8'),
      `{\n  "future": {"n": 1.50},\n  "last_root": {\n    "path": "${root}",\n    "last_used": "2026-09-01T08:00:00.000Z",\n    "branch": "x"\n  }\n}\n`,
    )
    assert.equal(readFileSync(join(moved, 'QUERY_MESSAGE.md'), 'utf8'), 'draft')
    assert.deepEqual(readdirSync(join(live, `${held.id.slice(4)}-two-words`)).sort(), ['events.json', 'metadata.json'])
    assert.equal(lstatSync(join(moved, 'metadata.local.json')).mode & 0o777, 0o600)
  })

  it('S21: a record that does not parse is no record, harms nothing and is not destroyed', () => {
    const directory = writeConversation(durable, '17750000001-x')
    writeFileSync(join(directory, 'metadata.local.json'), '{"last_root": {"pa')
    const store = openTestStore({root, silo})
    assert.equal(store.read(idOf('jp-c17750000001')).lastRoot, undefined)
    assert.equal(store.list().entries.length, 1)
    const held = store.lock(idOf('jp-c17750000001'))
    held.recordRoot(root)
    held.release()
    assert.equal(store.read(held.id).lastRoot?.path, root)
    assert.equal(readFileSync(join(directory, 'metadata.local.json.corrupt'), 'utf8'), '{"last_root": {"pa')
  })

  it('S22, S25: without user-local storage everything lives in the checkout, and there is no record', () => {
    const store = openTestStore({root, silo: undefined})
    const held = store.create({title: 'One'})
    held.recordRoot(root)
    held.append([{type: 'turn_start'}])
    assert.deepEqual(readdirSync(join(root, '.jp', 'locks')), [`${held.id}.lock`])
    held.release()
    assert.deepEqual(readdirSync(join(live, `${held.id.slice(4)}-one`)).sort(), ['events.json', 'metadata.json'])
    assert.equal(held.lastRoot(), undefined)
  })

  it('W17, S22: a conversation of the checkout alone is imported whole at its first write, with its mtimes', () => {
    const directory = writeConversation(live, '17750000001-pulled')
    writeFileSync(join(directory, 'notes.txt'), 'extra')
    writeFileSync(join(directory, 'metadata.local.json'), '{"last_root":{"path":"/theirs"}}')
    utimesSync(join(directory, 'metadata.json'), 1000, 1000)
    const store = openTestStore({root, silo})
    const held = store.lock(idOf('jp-c17750000001'))
    held.append([{type: 'turn_start'}])
    held.release()
    const copy = join(durable, '17750000001-pulled')
    assert.equal(readFileSync(join(copy, 'notes.txt'), 'utf8'), 'extra')
    assert.equal(statSync(join(copy, 'metadata.json')).mtimeMs, 1000_000)
    assert.equal(store.read(held.id).lastRoot, undefined)
    assert.equal(store.read(held.id).events.length, 4)
    assert.equal(store.read(held.id).presence, 'projected')
  })

  it('W19: a second writer is refused and told who holds it; a released lock leaves nothing', () => {
    writeConversation(durable, '17750000001-x')
    const store = openTestStore({root, silo, session: 'getsid-42'})
    const id = idOf('jp-c17750000001')
    const held = store.lock(id)
    try {
      store.lock(id)
      assert.fail('two locks')
    } catch (error) {
      assert.ok(error instanceof JpError)
      assert.equal(error.code, 'conversation_locked')
      assert.deepEqual(error.details['holder'], {
        pid: process.pid,
        session: 'getsid-42',
        acquired_at: '2026-09-01T08:00:00.000Z',
      })
    }
    assert.equal(store.lockHolder(id)?.pid, process.pid)
    held.release()
    assert.equal(store.lockHolder(id), undefined)
    assert.deepEqual(readdirSync(join(silo, 'locks')), [])
  })

  it('W19: what can not be locked is said: unknown, damaged, archived', () => {
    const store = openTestStore({root, silo})
    writeConversation(join(durable, '.archive'), '17750000001-x')
    const broken = writeConversation(durable, '17750000002-x')
    writeFileSync(join(broken, 'events.json'), '[')
    assert.equal(
      codeOf(() => store.lock(idOf('17750000001'))),
      'conversation_archived',
    )
    assert.equal(
      codeOf(() => store.lock(idOf('17750000002'))),
      'conversation_corrupt',
    )
    assert.equal(
      codeOf(() => store.lock(idOf('17750000003'))),
      'conversation_not_found',
    )
    assert.deepEqual(readdirSync(join(silo, 'locks')), [])
  })

  it('W20, FR-16: a damaged conversation is listed with its reason, kept, and harms no other', () => {
    for (let number = 0; number < 20; number++) writeConversation(durable, `177500000${number + 10}-x`)
    const path = join(durable, '17750000015-x', 'events.json')
    const whole = readFileSync(path)
    const store = openTestStore({root, silo})
    for (let cut = 0; cut < whole.length - 2; cut += Math.ceil(whole.length / 10)) {
      writeFileSync(path, whole.subarray(0, cut))
      const listed = store.list()
      assert.equal(listed.entries.length, 19)
      assert.deepEqual(
        listed.corrupt.map(({id}) => id),
        ['jp-c17750000015'],
      )
      assert.match(listed.corrupt[0]?.reason ?? '', /events\.json: it is (?:empty|cut off at byte \d+)\./)
      assert.equal(
        codeOf(() => store.read(idOf('17750000015'))),
        'conversation_corrupt',
      )
      const held = store.lock(idOf('17750000014'))
      held.append([{type: 'turn_start'}])
      held.release()
      assert.deepEqual(readFileSync(path), whole.subarray(0, cut))
    }
  })

  it('W32: a link or a special file in a checkout is not followed and does not block', () => {
    const outside = writeConversation(scratch.folder('elsewhere'), '17750000001-x')
    mkdirSync(live, {recursive: true})
    execFileSync('ln', ['-s', outside, join(live, '17750000001-x')])
    const directory = writeConversation(live, '17750000002-x')
    renameSync(join(directory, 'events.json'), join(directory, 'other'))
    execFileSync('mkfifo', [join(directory, 'events.json')])
    const third = writeConversation(live, '17750000003-x')
    renameSync(join(third, 'metadata.json'), join(scratch.path, 'm.json'))
    execFileSync('ln', ['-s', join(scratch.path, 'm.json'), join(third, 'metadata.json')])
    const listed = openTestStore({root, silo}).list()
    assert.deepEqual(listed.entries, [])
    assert.deepEqual(
      listed.corrupt.map(({reason}) => /(\w+\.json): (.*)$/.exec(reason)?.slice(1)),
      [
        ['events.json', 'there is no such file.'],
        ['metadata.json', 'there is no such file.'],
      ],
    )
  })

  it('W32: a conversations folder that is a link out of the checkout is refused', () => {
    execFileSync('ln', ['-s', scratch.folder('elsewhere'), live])
    const store = openTestStore({root, silo})
    assert.equal(
      codeOf(() => store.list()),
      'file_refused',
    )
    assert.equal(
      codeOf(() => store.create()),
      'file_refused',
    )
  })

  it("W33: the silo is the user's alone whatever the umask, the projection follows it", () => {
    const old = process.umask(0o002)
    try {
      const store = openTestStore({root, silo, clock: createTestClock(0)})
      const held = store.create({title: 'x'})
      held.append([{type: 'turn_start'}])
      held.release()
    } finally {
      process.umask(old)
    }
    const mode = (path: string): string => (lstatSync(path).mode & 0o777).toString(8)
    assert.equal(mode(join(durable, '0-x')), '700')
    assert.equal(mode(join(durable, '0-x', 'events.json')), '600')
    assert.equal(mode(join(live, '0-x')), '775')
    assert.equal(mode(join(live, '0-x', 'events.json')), '664')
  })
})
