import assert from 'node:assert/strict'
import {cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {plantFixtures, writeConversation} from '../support/conversations.js'
import {type Run, runJp, sharedFolder} from '../support/jp.js'
import {startOnTerminal} from '../support/pty.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

describe('reading conversations', function () {
  let scratch: Scratch
  let root: string
  let silo: string
  const jp = (...args: string[]): Promise<Run> => runJp(args, {cwd: root, env: {...scratch.env, JP_SESSION: 'tab'}})

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    silo = join(scratch.data, 'workspace', 'app-a1b2c')
  })
  afterEach(() => scratch.remove())

  it('Q3, S26, W21: jp c ls --format json is a bare array of list_conversations entries, pinned first', async () => {
    plantFixtures(root)
    const local = writeConversation(join(silo, 'conversations'), '17750000099-here', {title: 'Here'})
    writeFileSync(
      join(local, 'metadata.local.json'),
      JSON.stringify({last_root: {path: root, last_used: '2026-09-26T09:14:00Z', branch: 'x'}}),
    )
    const gone = writeConversation(join(silo, 'conversations'), '17750000100')
    writeFileSync(join(gone, 'metadata.local.json'), '{"last_root":{"path":"/gone"}}')
    const run = await jp('c', 'ls', '--format', 'json')
    assert.equal(run.code, 0)
    assert.equal(run.stderr, '')
    assert.deepEqual(JSON.parse(run.stdout), [
      {
        id: 'jp-c17750000000',
        title: 'Every type of event',
        last_activated_at: '2026-09-01T08:00:09.925831Z',
        pinned_at: '2026-09-02T10:00:00.123456789Z',
        events_count: 12,
      },
      {id: 'jp-c17750000001', title: null, last_activated_at: '2026-09-01T08:00:09.925831Z', events_count: 5},
      {
        id: 'jp-c17750000002',
        title: 'Inline delta\nof old',
        last_activated_at: '2026-09-01T08:00:09.925831Z',
        events_count: 3,
      },
      {id: 'jp-c17750000004', title: 'Aborted', last_activated_at: '2026-09-01T08:00:09.925831Z', events_count: 4},
      {
        id: 'jp-c17750000099',
        title: 'Here',
        last_activated_at: '2026-09-01T08:00:00Z',
        events_count: 3,
        last_root: {path: root, last_used: '2026-09-26T09:14:00Z', live: true},
      },
      {
        id: 'jp-c17750000100',
        title: null,
        last_activated_at: '2026-09-01T08:00:00Z',
        events_count: 3,
        last_root: {path: '/gone', live: false},
      },
    ])
  })

  it('S24, S28, W21, FR-01, FR-03: ls, show and print tell people where a conversation last ran, and that a checkout is gone', async () => {
    const other = scratch.checkout('app-wt', 'a1b2c')
    const directory = writeConversation(join(silo, 'conversations'), '17750000001-x', {title: 'X'})
    writeFileSync(join(directory, 'metadata.local.json'), JSON.stringify({last_root: {path: other}}))
    const row = (place: string): string =>
      `| ID | Title | Last used | Events | Last ran in | Notes |\n| --- | --- | --- | --- | --- | --- | --- |\n|   | jp-c17750000001 | X | 2026-09-01 08:00 | 3 | ${place} | local |\n`
    assert.equal((await jp('c', 'ls')).stdout, `|  ${row(other)}`)
    rmSync(other, {recursive: true})
    assert.equal((await jp('c', 'ls')).stdout, `|  ${row(`${other} (gone)`)}`)
    assert.match((await jp('c', 'show', '1775')).stdout, new RegExp(`\\nLast ran in +${other} \\(gone\\)\\n`))
    const printed = await jp('c', 'print', 'x')
    assert.equal(
      printed.stdout,
      `# X\n\njp-c17750000001 · last ran in ${other} (gone)\n\n## You 2026-09-01 08:00\n\nhi\n\n## Assistant 2026-09-01 08:00\n\nhello\n`,
    )
  })

  it('Q3: jp c print --format json is the data of read_events, decoded, and json-pretty is the same value', async () => {
    plantFixtures(root)
    const run = await jp('c', 'print', '--format', 'json', '17750000000')
    const events = JSON.parse(run.stdout) as readonly Record<string, unknown>[]
    assert.equal(events.length, 12)
    assert.deepEqual(events[4], {
      timestamp: '2026-09-01 08:00:03.325831',
      type: 'tool_call_request',
      id: 'c1',
      name: 'ls',
      arguments: {dir: 'src', depth: 1, names: ['a', 'é']},
    })
    assert.deepEqual(events[3]?.['metadata'], {anthropic_thinking_signature: 'c2ln', n: 1})
    assert.deepEqual(events[8], {
      type: 'hologram',
      timestamp: 'not a time',
      zeta: 1,
      alpha: {b: [1.5, 2000]},
      content: 'kept',
    })
    const pretty = await jp('c', 'print', '--format', 'json-pretty', '17750000000')
    assert.equal(pretty.stdout, `${JSON.stringify(events, undefined, 2)}\n`)
    const turn = await jp('c', 'print', '--format', 'json', '--turn', '2', '17750000000')
    assert.equal(turn.code, 2)
    assert.equal(turn.stdout, '')
  })

  it('Q3: jp c show --format json is one object', async () => {
    plantFixtures(root)
    const run = await jp('c', 'show', '--format', 'json', 'every')
    assert.deepEqual(JSON.parse(run.stdout), {
      id: 'jp-c17750000000',
      title: 'Every type of event',
      last_activated_at: '2026-09-01T08:00:09.925831Z',
      pinned_at: '2026-09-02T10:00:00.123456789Z',
      events_count: 12,
      created_at: '2026-03-31T23:33:20.000Z',
      labels: {area: 'store', draft: ''},
      presence: 'projected',
      path: join(silo, 'conversations', '17750000000-every-type'),
    })
    const path = await jp('c', 'path', '--format', 'json', '--events', 'every')
    assert.deepEqual(JSON.parse(path.stdout), {
      id: 'jp-c17750000000',
      path: join(silo, 'conversations', '17750000000-every-type', 'events.json'),
    })
  })

  it('W3, W10, W21: ls, show, print and path register a new checkout, and write nothing else', async () => {
    plantFixtures(root)
    writeConversation(join(silo, 'conversations'), '17750000050-x', {title: 'X'})
    // The compile cache is below the cache folder, which is apart.
    mkdirSync(join(scratch.home, '.cache'))
    const untouched = listing(root)
    await jp('c', 'ls')
    assert.deepEqual(listing(root), untouched)
    assert.equal(readdirSync(join(silo, 'roots')).length, 1)
    const before = [listing(root), listing(join(scratch.home, '.local'))]
    for (const args of [
      ['ls'],
      ['ls', '--archived'],
      ['show', 'x'],
      ['print', 'every'],
      ['print', 'x', '--last', '1'],
      ['path', 'x'],
      ['print', 'none'],
    ])
      await jp('c', ...args)
    assert.deepEqual([listing(root), listing(join(scratch.home, '.local'))], before)
  })

  it('W17, W20: the real workspace: 6 live and 1 archived, each printed whole, as text and as JSON', async function () {
    const shared = sharedFolder()
    if (shared === undefined) return this.skip()
    cpSync(join(shared, 'fixtures', 'real-workspace', '.jp', 'conversations'), join(root, '.jp', 'conversations'), {
      recursive: true,
    })
    const live = JSON.parse((await jp('c', 'ls', '--format', 'json')).stdout) as readonly {
      id: string
      events_count: number
    }[]
    const archived = JSON.parse((await jp('c', 'ls', '--archived', '-F', 'json')).stdout) as typeof live
    assert.deepEqual([live.length, archived.length], [6, 1])
    for (const {id, events_count} of [...live, ...archived]) {
      const json = await jp('c', 'print', id, '--format', 'json')
      assert.equal((JSON.parse(json.stdout) as unknown[]).length, events_count)
      const text = await jp('c', 'print', id, '--style', 'full')
      assert.equal(text.code, 0)
      assert.ok(text.stdout.length > 1000)
    }
  })

  it('W20, FR-16: what is damaged is listed with its reason on stderr, and reading it is exit 8', async () => {
    writeConversation(join(silo, 'conversations'), '17750000001-fine', {title: 'Fine'})
    const bad = writeConversation(join(silo, 'conversations'), '17750000002-bad', {title: 'Bad'})
    writeFileSync(join(bad, 'events.json'), '[{"timestamp":')
    mkdirSync(join(silo, 'conversations', 'notes'))
    const ls = await jp('c', 'ls', '--format', 'json')
    assert.equal(ls.code, 0)
    assert.deepEqual(
      (JSON.parse(ls.stdout) as {title: string}[]).map(({title}) => title),
      ['Fine'],
    )
    assert.equal(
      ls.stderr,
      `Warning: Passed over: ${join(silo, 'conversations', 'notes')}: the folder's name does not begin with a conversation id.\n` +
        `Warning: Passed over: ${join(bad, 'events.json')}: it is cut off at byte 14.\n` +
        '"jp doctor" shows what is wrong and what can be done.\n',
    )
    const print = await jp('c', 'print', '17750000002', '--format', 'json')
    assert.equal(print.code, 8)
    assert.equal(print.stdout, '')
    assert.equal((JSON.parse(print.stderr) as {code: string}).code, 'conversation_corrupt')
  })

  it('W31: titles and texts never reach the terminal with control characters', async () => {
    const at = '2026-09-01 08:00:00.0'
    writeConversation(join(silo, 'conversations'), '17750000001', {
      title: 'a\u001b[31mred\u0007\nb\u202e',
      events: [
        {timestamp: at, type: 'turn_start'},
        {timestamp: at, type: 'chat_request', content: 'x\u001b]0;owned\u0007y', author: 'Eve\u001b[2J'},
        {timestamp: at, type: 'hol\u001b[1mo'},
      ],
    })
    for (const args of [['ls'], ['show', '1775'], ['print', '1775', '--style', 'full']]) {
      const run = await jp('c', ...args)
      assert.equal(run.code, 0)
      assert.doesNotMatch(run.stdout, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  })

  it('W7, W21: targets: prefixes, rules, stdin; what is ambiguous lists its candidates and is exit 2', async () => {
    for (const [index, title] of ['Alpha one', 'Alpha two', 'Beta'].entries()) {
      const directory = writeConversation(join(silo, 'conversations'), `1775000000${index}-x`, {
        title,
        lastActivatedAt: `2026-09-0${3 - index} 08:00:00.0`,
      })
      utimesSync(directory, 1, 1)
    }
    const shown = async (...target: string[]): Promise<string> => {
      const run = await jp('c', 'path', ...target)
      return run.code === 0 ? (/(\d{11})/.exec(run.stdout)?.[1] ?? '') : `exit ${run.code}`
    }
    assert.equal(await shown('beta'), '17750000002')
    assert.equal(await shown('alpha-t'), '17750000001')
    assert.equal(await shown('jp-c17750000001-a1b2c'), '17750000001')
    assert.equal(await shown('17750000001'), '17750000001')
    assert.equal(await shown('n'), '17750000002')
    assert.equal(await shown('recent'), '17750000000')
    assert.equal(await shown('p'), 'exit 3')
    assert.equal(await shown('.'), 'exit 3')
    assert.equal(await shown('nothing'), 'exit 3')
    assert.equal(await shown('?'), 'exit 2')
    assert.equal(await shown(), 'exit 2')
    assert.equal(await shown('help'), 'exit 2')
    const ambiguous = await jp('c', 'path', 'alpha', '--format', 'json')
    assert.equal(ambiguous.code, 2)
    const error = JSON.parse(ambiguous.stderr) as {code: string; candidates: string[]}
    assert.deepEqual([error.code, error.candidates], ['conversation_ambiguous', ['jp-c17750000000', 'jp-c17750000001']])
    const piped = await runJp(['c', 'ls', '-', '--format', 'json'], {
      cwd: root,
      env: scratch.env,
      input: 'jp-c17750000002\n\n17750000000\n',
    })
    assert.deepEqual(
      (JSON.parse(piped.stdout) as {id: string}[]).map(({id}) => id),
      ['jp-c17750000002', 'jp-c17750000000'],
    )
  })

  it('W21: use records the active conversation of this session; without a target it goes to the one before', async () => {
    for (const number of [1, 2]) writeConversation(join(silo, 'conversations'), `1775000000${number}`)
    assert.equal(
      (await jp('c', 'use', '17750000001')).stdout,
      'jp-c17750000001 is the active conversation of this session.\n',
    )
    await jp('c', 'use', '17750000002')
    assert.match((await jp('c', 'ls')).stdout, /\| \* \| jp-c17750000002 \|/)
    assert.match((await jp('c', 'use')).stdout, /^jp-c17750000001 is/)
    assert.match((await jp('c', 'path')).stdout, /17750000001\n$/)
    const other = await runJp(['c', 'path'], {cwd: root, env: {...scratch.env, JP_SESSION: 'other'}})
    assert.equal(other.code, 2)
  })

  it('W21, W23: without a target and an active conversation, conversation.default_id decides', async () => {
    for (const [index, day] of [3, 9, 5].entries())
      writeConversation(join(silo, 'conversations'), `1775000000${index}`, {
        lastActivatedAt: `2026-09-0${day} 08:00:00.0`,
      })
    const path = async (setting: string): Promise<string> => {
      scratch.write('app/.jp/config.toml', `conversation.default_id = "${setting}"\n`)
      const run = await jp('c', 'path')
      return run.code === 0 ? (/(\d{11})\n$/.exec(run.stdout)?.[1] ?? '') : `exit ${run.code}`
    }
    assert.equal(await path('last-activated'), '17750000001')
    assert.equal(await path('last-created'), '17750000002')
    assert.equal(await path('jp-c17750000000'), '17750000000')
    assert.equal(await path('ask'), 'exit 2')
    await jp('c', 'use', '17750000002')
    assert.equal(await path('last-activated'), '17750000002')
  })

  it('W9, W21: on a terminal a target that several match is asked for, on the terminal itself', async () => {
    for (const [index, title] of ['Alpha one', 'Alpha two'].entries())
      writeConversation(join(silo, 'conversations'), `1775000000${index}`, {title})
    const terminal = startOnTerminal(['c', 'path', 'alpha'], {cwd: root, env: scratch.env})
    try {
      await terminal.waitFor('Alpha one')
      terminal.type('one')
      await terminal.waitFor(/❯ jp-c17750000000 {2}Alpha one/)
      terminal.type('\r')
      await terminal.waitFor(/conversations\/17750000000/)
      assert.equal(await terminal.exited, 0)
    } finally {
      terminal.kill()
    }
  })
})
