import assert from 'node:assert/strict'
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {writeConversation} from '../support/conversations.js'
import {type Run, runJp} from '../support/jp.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

type Finding = {code: string; id?: string; path: string; reason: string; advice: string; state: string}

const event = (content: string): string =>
  `{"timestamp": "2026-09-01 08:00:00.0", "type": "chat_request", "content": "${content}"}`

/** Each kind of damage (facts 2.8): its bytes, how it is named, and what a repair keeps. */
const damages: readonly (readonly [
  what: string,
  bytes: string | Buffer,
  reason: RegExp,
  kept: readonly string[] | 'set aside',
])[] = [
  ['cut', `[${event('one')}, ${event('two')}, {"timest`, /it is cut off at byte \d+/, ['one', 'two']],
  ['empty', '', /it is empty/, 'set aside'],
  ['NUL bytes', Buffer.alloc(4096), /it is no JSON array: it starts with byte 0x00/, 'set aside'],
  ['a NUL in a text', `[${event('one')}, ${event('t\0wo')}]`, /it is not JSON at character/, ['one']],
  [
    'not UTF-8',
    Buffer.concat([Buffer.from(`[${event('one')}, {"x":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}]')]),
    /it is not UTF-8/,
    ['one'],
  ],
  ['a byte order mark', `\ufeff[${event('one')}]`, /it starts with a byte order mark/, ['one']],
  ['no array', '{"a": 1}', /it is no JSON array/, 'set aside'],
  ['an element that is no object', `[${event('one')}, 7]`, /an element is no object|it is no object/, ['one']],
  ['no timestamp', `[${event('one')}, {"type": "turn_start"}]`, /event 2 of 2: it has no "timestamp"/, ['one']],
  ['no type', `[{"timestamp": "x"}, ${event('two')}]`, /event 1 of 2: it has no "type"/, ['two']],
  [
    'a known type with wrong fields',
    `[${event('one')}, {"timestamp": "2026-09-01 08:00:00.0", "type": "tool_call_response"}]`,
    /its type is tool_call_response/,
    ['one'],
  ],
  [
    'a merge conflict',
    `[${event('one')},\n<<<<<<< HEAD\n${event('two')}]`,
    /an element is no object|not JSON/,
    ['one'],
  ],
]

describe('jp doctor', () => {
  let scratch: Scratch
  let root: string
  let silo: string
  let durable: string
  let live: string
  const jp = (...args: string[]): Promise<Run> => runJp(args, {cwd: root, env: scratch.env})
  const findings = async (...args: string[]): Promise<readonly Finding[]> =>
    (JSON.parse((await jp('doctor', '--format', 'json', ...args)).stdout) as {findings: Finding[]}).findings

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    silo = join(scratch.data, 'workspace', 'app-a1b2c')
    durable = join(silo, 'conversations')
    live = join(root, '.jp', 'conversations')
    mkdirSync(silo, {recursive: true, mode: 0o700})
    mkdirSync(join(scratch.home, '.cache'))
  })
  afterEach(() => scratch.remove())

  it('W20: says nothing is wrong when nothing is, and writes nothing either way', async () => {
    writeConversation(durable, '17750000001-x')
    const before = [listing(root), listing(join(scratch.home, '.local'))]
    const run = await jp('doctor')
    assert.equal(run.code, 0)
    assert.match(run.stdout, /Workspace {2}a1b2c at .*\/app\n.*\nEverything is in order\.\n$/)
    assert.deepEqual([listing(root), listing(join(scratch.home, '.local'))], before)
    writeFileSync(join(durable, '17750000001-x', 'events.json'), '[')
    const damaged = listing(root)
    assert.equal((await jp('doctor')).code, 8)
    assert.deepEqual(listing(root), damaged)
    const elsewhere = await runJp(['doctor'], {cwd: scratch.path, env: scratch.env})
    assert.equal(elsewhere.code, 0)
    assert.match(elsewhere.stdout, /Workspace {2}none here/)
  })

  it('W20, FR-15, FR-16: each kind of damage is named, kept, and harms no other; --fix saves what is sound and loses no byte', async () => {
    for (const [index, [, bytes]] of damages.entries()) {
      const directory = writeConversation(durable, `177500000${index + 10}-d`, {title: `D${index}`})
      writeFileSync(join(directory, 'events.json'), bytes)
      writeFileSync(join(directory, 'QUERY_MESSAGE.md'), `draft ${index}`)
    }
    writeConversation(durable, '17750000099-fine', {title: 'Fine'})
    const listed = await jp('c', 'ls', '--format', 'json')
    assert.deepEqual(
      (JSON.parse(listed.stdout) as {title: string}[]).map(({title}) => title),
      ['Fine'],
    )
    const found = await findings()
    for (const [index, [what, , reason]] of damages.entries())
      assert.match(found.find(({id}) => id === `jp-c177500000${index + 10}`)?.reason ?? '', reason, what)
    assert.ok((await findings('--fix')).every(({state}) => state === 'fixed'))
    assert.deepEqual(await findings(), [])
    for (const [index, [what, bytes, , kept]] of damages.entries()) {
      const name = `177500000${index + 10}-d`
      const trashed = join(durable, '.trash', name)
      assert.deepEqual(readFileSync(join(trashed, 'events.json')), Buffer.from(bytes), what)
      if (kept === 'set aside') {
        assert.ok(!existsSync(join(durable, name)), what)
        assert.equal(readFileSync(join(trashed, 'QUERY_MESSAGE.md'), 'utf8'), `draft ${index}`)
        assert.match(readFileSync(join(trashed, 'TRASHED.md'), 'utf8'), /^# Set aside by jp\n\n.*events\.json/)
      } else {
        const events = JSON.parse(readFileSync(join(durable, name, 'events.json'), 'utf8')) as {content: string}[]
        assert.deepEqual(
          events.map(({content}) => content),
          kept,
          what,
        )
        assert.equal(readFileSync(join(durable, name, 'QUERY_MESSAGE.md'), 'utf8'), `draft ${index}`)
      }
    }
  })

  it('W20: a sound copy in the other root takes the place of a damaged one', async () => {
    for (const place of [durable, live]) writeConversation(place, '17750000001-x', {title: 'X'})
    const whole = readFileSync(join(durable, '17750000001-x', 'events.json'))
    writeFileSync(join(live, '17750000001-x', 'events.json'), whole.subarray(0, 40))
    writeFileSync(join(durable, '17750000001-x', 'metadata.json'), '')
    await findings('--fix')
    assert.deepEqual(await findings(), [])
    assert.deepEqual(readFileSync(join(live, '17750000001-x', 'events.json')), whole)
    assert.match(readFileSync(join(durable, '17750000001-x', 'metadata.json'), 'utf8'), /"title": "X"/)
    assert.equal(readFileSync(join(live, '.trash', '17750000001-x', 'events.json'), 'utf8').length, 40)
  })

  it('W20: lost metadata is made anew, a damaged configuration and strays are set aside, folders twice are one', async () => {
    rmSync(join(writeConversation(durable, '17750000001-x'), 'metadata.json'))
    writeFileSync(join(writeConversation(durable, '17750000002-y', {title: 'Y'}), 'base_config.json'), 'not json')
    mkdirSync(join(durable, 'notes'), {recursive: true})
    writeConversation(durable, '17750000003-new', {title: 'New'})
    const old = writeConversation(durable, '17750000003-old', {title: 'Old'})
    for (const file of readdirSync(old)) utimesSync(join(old, file), 1000, 1000)
    const found = await findings()
    assert.deepEqual(
      found.map(({code, path}) => [code, path.slice(durable.length + 1)]),
      [
        ['stray', 'notes'],
        ['damaged', '17750000001-x/metadata.json'],
        ['damaged', '17750000002-y/base_config.json'],
        ['duplicate', '17750000003-old'],
      ],
    )
    await findings('--fix')
    assert.deepEqual(readdirSync(durable).sort(), ['.trash', '17750000001-x', '17750000002-y', '17750000003-new'])
    assert.deepEqual(readdirSync(join(durable, '.trash')).sort(), ['17750000002-y', '17750000003-old', 'notes'])
    const listed = JSON.parse((await jp('c', 'ls', '-F', 'json')).stdout) as {
      title: string | null
      last_activated_at: string
    }[]
    assert.deepEqual(
      listed.map(({title}) => title),
      [null, 'Y', 'New'],
    )
    assert.equal(listed[0]?.last_activated_at, '2026-03-31T23:33:20.1Z')
  })

  it('W20, FR-16: what can not be read may be sound, so nothing is done to it', async () => {
    const [directory] = [writeConversation(live, '17750000001-x'), writeConversation(durable, '17750000001-x')]
    const path = join(directory, 'events.json')
    rmSync(path)
    mkdirSync(path)
    const before = listing(root)
    for (const args of [[], ['--fix']]) {
      const [found, ...more] = await findings(...args)
      assert.deepEqual([found?.code, found?.state, found?.path, more], ['unreadable', 'found', directory, []])
      assert.equal(found?.reason, `${path} is not a regular file.`)
    }
    assert.deepEqual(listing(root), before)
    assert.equal((await jp('doctor')).code, 1)
  })

  it('FR-26: half of a character pair in a file is named, readable, and mended in place', async () => {
    const directory = writeConversation(durable, '17750000001-x', {title: 'X'})
    const text = `[${event('cut \\ud83d, whole \\ud83d\\udfe2, literal \\\\ud83d')}]\n`
    writeFileSync(join(directory, 'events.json'), text)
    assert.equal((await jp('c', 'print', 'x')).code, 0)
    assert.deepEqual(
      (await findings()).map(({code}) => code),
      ['lone_surrogate'],
    )
    await findings('--fix')
    assert.equal(readFileSync(join(directory, 'events.json'), 'utf8'), text.replace('cut \\ud83d,', 'cut \\ufffd,'))
  })

  it('Q9, FR-22: stale locks and checkouts that are gone are found and cleared', async () => {
    writeConversation(durable, '17750000001-x')
    mkdirSync(join(silo, 'locks'))
    writeFileSync(join(silo, 'locks', 'jp-c17750000001.lock'), '{"pid":1,"acquired_at":""}\n')
    writeFileSync(join(durable, '17750000001-x', '.events.json.999999999-0.tmp'), 'half')
    mkdirSync(join(silo, 'roots'))
    writeFileSync(join(silo, 'roots', '0123456789abcdef.json'), '{"path":"/gone","last_used":"2026-01-01T00:00:00Z"}')
    assert.deepEqual(
      (await findings()).map(({code}) => code),
      ['dead_root', 'stale_lock'],
    )
    assert.equal((await jp('doctor')).code, 0)
    await findings('--fix')
    assert.deepEqual(await findings(), [])
    assert.deepEqual(readdirSync(join(silo, 'locks')), [])
    assert.equal(readdirSync(join(durable, '17750000001-x')).length, 3)
  })
})
