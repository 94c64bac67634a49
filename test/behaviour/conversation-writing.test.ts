import assert from 'node:assert/strict'
import {existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {plantFixtures, writeConversation} from '../support/conversations.js'
import {type Run, runJp} from '../support/jp.js'
import {startOnTerminal} from '../support/pty.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

describe('changing conversations', () => {
  let scratch: Scratch
  let root: string
  let live: string
  let durable: string
  const env = () => ({...scratch.env, JP_SESSION: 'tab'})
  const jp = (...args: string[]): Promise<Run> => runJp(['c', ...args], {cwd: root, env: env()})
  const folders = (): readonly (readonly string[])[] =>
    [live, durable].map((path) => (existsSync(path) ? readdirSync(path).sort() : []))
  const both = (name: string, title: string): void => {
    writeConversation(durable, name, {title})
    writeConversation(live, name, {title})
  }

  /** Runs on a terminal, waits for what will be done and the question, and says no. */
  const declined = async (args: readonly string[], plan: string, question: string): Promise<void> => {
    const terminal = startOnTerminal(['c', ...args], {cwd: root, env: env()})
    try {
      await terminal.waitFor(plan)
      await terminal.waitFor(question)
      terminal.type('n\r')
      assert.equal(await terminal.exited, 1)
    } finally {
      terminal.kill()
    }
  }

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    live = join(root, '.jp', 'conversations')
    durable = join(scratch.data, 'workspace', 'app-a1b2c', 'conversations')
  })
  afterEach(() => scratch.remove())

  it('W21: rm shows what goes, needs --yes without a terminal, and removes both copies', async () => {
    both('17750000001-x', 'X')
    both('17750000002-y', 'Y')
    const before = [listing(live), listing(durable)]
    const refused = await jp('rm', 'x')
    assert.equal(refused.code, 2)
    assert.equal(refused.stdout, '')
    assert.equal(
      refused.stderr,
      'Remove jp-c17750000001: X (3 events)\nError: Remove it? There is no terminal to ask on.\n  Add --yes to do it.\n',
    )
    assert.deepEqual([listing(live), listing(durable)], before)
    const done = await jp('rm', 'x', '--yes', '--format', 'json')
    assert.deepEqual([done.code, JSON.parse(done.stdout)], [0, [{id: 'jp-c17750000001'}]])
    assert.deepEqual(folders(), [['17750000002-y'], ['17750000002-y']])
    assert.equal((await jp('rm')).code, 2)
    assert.equal((await jp('rm', 'nothing', '--yes')).code, 3)
  })

  it('W21, W22: rm loses no draft: it must be said, and one that is not known is kept', async () => {
    both('17750000001-x', 'X')
    writeFileSync(join(durable, '17750000001-x', 'QUERY_MESSAGE.md'), 'half a thought')
    const refused = await jp('rm', 'x', '--yes')
    assert.equal(refused.code, 4)
    assert.match(refused.stderr, /has an unsent draft; nothing was removed/)
    assert.deepEqual(folders(), [['17750000001-x'], ['17750000001-x']])
    const done = await jp('rm', 'x', '--yes', '--discard-draft')
    assert.equal(done.code, 0)
    assert.match(done.stderr, /with its unsent draft "half a thought"/)
    assert.deepEqual(folders(), [[], []])
  })

  it('W9, W21: on a terminal rm asks, and no is no', async () => {
    both('17750000001-x', 'X')
    for (const [answer, left, code] of [
      ['n', 1, 1],
      ['y', 0, 0],
    ] as const) {
      const terminal = startOnTerminal(['c', 'rm', 'x'], {cwd: root, env: env()})
      try {
        await terminal.waitFor('Remove jp-c17750000001: X (3 events)')
        await terminal.waitFor('Remove it?')
        terminal.type(`${answer}\r`)
        assert.equal(await terminal.exited, code)
      } finally {
        terminal.kill()
      }
      assert.equal(folders()[0]?.length, left)
    }
  })

  it('W9, W21: on a terminal expiry, edit and unarchive show what they will do and ask; no is no, and a draft stays', async () => {
    both('17750000001-x', 'X')
    both('17750000002-y', 'Y')
    assert.equal((await jp('edit', 'x', '--tmp', 'now', '--yes')).code, 0)
    assert.equal((await jp('archive', 'y')).code, 0)
    writeFileSync(join(durable, '17750000001-x', 'QUERY_MESSAGE.md'), 'draft')
    const before = [listing(root), listing(join(scratch.data, 'workspace'))]
    const asked: readonly (readonly [args: readonly string[], plan: string, question: string])[] = [
      [['rm', '17750000001'], 'with its unsent draft "draft"', 'Remove it?'],
      [['edit', 'x', '--tmp', '3d'], 'Make jp-c17750000001 temporary: it may be removed from', 'Do it?'],
      [['edit', 'x', '--local'], 'Take jp-c17750000001 out of the checkout', 'Do it?'],
      [['unarchive', 'y'], 'Bring back jp-c17750000002: Y', 'Bring it back?'],
    ]
    for (const [args, plan, question] of asked) {
      await declined(args, plan, question)
      assert.deepEqual([listing(root), listing(join(scratch.data, 'workspace'))], before, args.join(' '))
    }
    assert.equal((await jp('rm', '--expired', '--yes')).stderr, 'There is nothing to remove.\n')
    unlinkSync(join(durable, '17750000001-x', 'QUERY_MESSAGE.md'))
    await declined(['rm', '--expired'], 'Remove jp-c17750000001: X (3 events)', 'Remove it?')
    assert.deepEqual(folders()[1], ['.archive', '17750000001-x'])
  })

  it('W20, W21: a damaged conversation can be removed by its id', async () => {
    both('17750000001-x', 'X')
    writeFileSync(join(durable, '17750000001-x', 'events.json'), '[')
    writeFileSync(join(live, '17750000001-x', 'events.json'), '[')
    const run = await jp('rm', '17750000001', '--yes')
    assert.equal(run.code, 0)
    assert.match(run.stderr, /Remove jp-c17750000001: damaged/)
    assert.deepEqual(folders(), [[], []])
  })

  it('W21: what expired is removed when that is asked for, but not what a session has active or what holds a draft', async () => {
    for (const number of [1, 2, 3, 4]) both(`1775000000${number}-t`, `T${number}`)
    for (const number of [1, 2, 3]) {
      const run = await jp('edit', `1775000000${number}`, '--tmp', 'now', '--yes')
      assert.equal(run.code, 0, run.stderr)
    }
    await jp('use', '17750000002')
    writeFileSync(join(durable, '17750000003-t', 'QUERY_MESSAGE.md'), 'draft')
    const listed = await jp('ls')
    assert.equal(listed.stdout.match(/ expired \|$/gm)?.length, 3)
    assert.equal(
      listed.stderr,
      '3 temporary conversations are past the time to go. To see what would be removed, and be asked: jp conversation rm --expired\n',
    )
    assert.deepEqual([(await jp('ls', '-F', 'json')).stderr, folders()[0]?.length], ['', 4])
    const refused = await jp('rm', '--expired')
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /^Remove jp-c17750000001: T1 \(3 events\)\nError/)
    await jp('rm', '--expired', '--yes')
    assert.deepEqual(
      folders()[0]?.map((name) => name.slice(0, 11)),
      ['17750000002', '17750000003', '17750000004'],
    )
  })

  it('W21: archive and unarchive move both copies; unarchive needs --yes; what is archived is out of the listing', async () => {
    both('17750000001-x', 'X')
    writeFileSync(join(durable, '17750000001-x', 'QUERY_MESSAGE.md'), 'draft')
    assert.equal((await jp('archive', 'x')).stdout, 'Archived jp-c17750000001.\n')
    assert.deepEqual(folders(), [['.archive'], ['.archive']])
    assert.deepEqual(JSON.parse((await jp('ls', '-F', 'json')).stdout), [])
    const listed = JSON.parse((await jp('ls', '--archived', '-F', 'json')).stdout) as {id: string}[]
    assert.deepEqual(
      listed.map(({id}) => id),
      ['jp-c17750000001'],
    )
    assert.equal((await jp('use', '17750000001')).code, 4)
    assert.equal((await jp('unarchive', 'x')).code, 2)
    assert.equal((await jp('unarchive', 'x', '-y')).stdout, 'Brought back jp-c17750000001.\n')
    assert.deepEqual(folders(), [
      ['.archive', '17750000001-x'],
      ['.archive', '17750000001-x'],
    ])
    assert.equal(readFileSync(join(durable, '17750000001-x', 'QUERY_MESSAGE.md'), 'utf8'), 'draft')
    assert.doesNotMatch(readFileSync(join(live, '17750000001-x', 'metadata.json'), 'utf8'), /archived_at/)
  })

  it('W21: a session whose latest conversation is archived has no active one', async () => {
    both('17750000001-x', 'X')
    both('17750000002-y', 'Y')
    await jp('use', 'x')
    await jp('use', 'y')
    await jp('archive', 'y')
    assert.equal((await jp('path')).code, 2)
    await jp('rm', '17750000002', '--yes')
    assert.match((await jp('path')).stdout, /17750000001-x\n$/)
  })

  it('W17, S22: edit --local takes the projection away after asking, and --no-local puts it back', async () => {
    both('17750000001-x', 'X')
    assert.equal((await jp('edit', 'x', '--local')).code, 2)
    assert.deepEqual(folders(), [['17750000001-x'], ['17750000001-x']])
    assert.equal((await jp('edit', 'x', '--local', '--yes')).code, 0)
    assert.deepEqual(folders(), [[], ['17750000001-x']])
    writeFileSync(join(durable, '17750000001-x', 'QUERY_MESSAGE.md'), 'draft')
    assert.equal((await jp('edit', 'x', '--no-local')).code, 0)
    assert.deepEqual(readdirSync(join(live, '17750000001-x')).sort(), [
      'base_config.json',
      'events.json',
      'metadata.json',
    ])
  })

  it('S22, S23, W21: edit changes title and pin, and the folders follow the title with all that is in them', async () => {
    both('17750000001-x', 'X')
    writeFileSync(join(durable, '17750000001-x', 'metadata.local.json'), '{"last_root":{"path":"/a"}}')
    writeFileSync(join(live, '17750000001-x', 'mine.txt'), 'kept')
    assert.equal((await jp('edit', 'x', '--title', 'New name', '--pin')).code, 0)
    assert.deepEqual(folders(), [['17750000001-new-name'], ['17750000001-new-name']])
    assert.ok(existsSync(join(durable, '17750000001-new-name', 'metadata.local.json')))
    assert.ok(existsSync(join(live, '17750000001-new-name', 'mine.txt')))
    const [entry] = JSON.parse((await jp('ls', '-F', 'json')).stdout) as {title: string; pinned_at?: string}[]
    assert.equal(entry?.title, 'New name')
    assert.match(entry?.pinned_at ?? '', /^\d{4}-\d\d-\d\dT/)
    await jp('edit', 'new', '--no-title', '--no-pin')
    assert.deepEqual(folders(), [['17750000001'], ['17750000001']])
  })

  it('W21: a file is edited in the configured editor', async () => {
    both('17750000001-x', 'X')
    const events = '[\n  {"timestamp": "2026-09-01 08:00:00.0", "type": "turn_start"}\n]\n'
    const wanted = scratch.write('wanted.json', events)
    const editor = scratch.write('editor.sh', `cp ${wanted} "$1"\n`)
    const terminal = {...env(), EDITOR: `sh ${editor}`}
    const run = startOnTerminal(['c', 'edit', 'x', '-e', '--yes'], {cwd: root, env: terminal})
    assert.equal(await run.exited, 0, run.received)
    assert.equal(readFileSync(join(durable, '17750000001-x', 'events.json'), 'utf8'), events)
  })

  it('S22: a managed edit replaces managed files alone; a damaged one is refused and nothing is written', async () => {
    both('17750000001-x', 'X')
    for (const name of ['QUERY_MESSAGE.md', 'metadata.local.json', 'unknown.bin'])
      writeFileSync(join(durable, '17750000001-x', name), name)
    const before = listing(durable)
    const bad = await runJp(['c', 'edit', 'x', '-e', '--yes'], {cwd: root, env: env(), input: '[{"type":'})
    assert.equal(bad.code, 8)
    assert.deepEqual(listing(durable), before)
    const events = '[\n  {"timestamp": "2026-09-01 08:00:00.0", "type": "turn_start"}\n]\n'
    const unasked = await runJp(['c', 'edit', 'x', '-e'], {cwd: root, env: env(), input: events})
    assert.equal(unasked.code, 2)
    const done = await runJp(['c', 'edit', 'x', '-e', '--yes'], {cwd: root, env: env(), input: events})
    assert.equal(done.code, 0)
    for (const place of [live, durable])
      assert.equal(readFileSync(join(place, '17750000001-x', 'events.json'), 'utf8'), events)
    for (const name of ['QUERY_MESSAGE.md', 'metadata.local.json', 'unknown.bin'])
      assert.equal(readFileSync(join(durable, '17750000001-x', name), 'utf8'), name)
    assert.equal(readdirSync(join(live, '17750000001-x')).length, 3)
  })

  it('W21: labels are added, listed and removed, and sorted in the file', async () => {
    both('17750000001-x', 'X')
    assert.equal((await jp('label', 'add', 'draft', 'area=store', '--id', 'x')).code, 0)
    assert.match(
      readFileSync(join(durable, '17750000001-x', 'metadata.json'), 'utf8'),
      /"labels": \{\n {4}"area": "store",\n {4}"draft": ""\n {2}\}/,
    )
    assert.deepEqual(JSON.parse((await jp('label', 'ls', 'x', '-F', 'json')).stdout), [
      {key: 'area', value: 'store'},
      {key: 'draft', value: ''},
    ])
    assert.match((await jp('ls', '--label', 'area=store')).stdout, /draft/)
    assert.deepEqual(JSON.parse((await jp('ls', '--label', 'area=x', '-F', 'json')).stdout), [])
    await jp('label', 'rm', 'draft', 'area', '-i', 'x')
    assert.doesNotMatch(readFileSync(join(live, '17750000001-x', 'metadata.json'), 'utf8'), /labels/)
    assert.equal((await jp('label', 'add', '9bad', '-i', 'x')).code, 2)
  })

  it('Q3: the JSON of each command that changes conversations', async () => {
    both('17750000001-x', 'X')
    both('17750000002-y', 'Y')
    const [x, y] = ['jp-c17750000001', 'jp-c17750000002'] as const
    const expected: readonly (readonly [args: readonly string[], told: object])[] = [
      [['use', 'x'], {id: x}],
      [['path', 'x'], {id: x, path: join(durable, '17750000001-x')}],
      [['edit', 'x', '--pin'], {id: x}],
      [['label', 'add', 'area=store', 'new', '-i', 'x'], {id: x, labels: {area: 'store', new: ''}}],
      [['label', 'rm', 'new', '-i', 'x'], {id: x, labels: {area: 'store'}}],
      [['archive', 'y'], [{id: y}]],
      [['unarchive', 'y', '--yes'], [{id: y}]],
      [['rm', 'y', '--yes'], [{id: y}]],
    ]
    for (const [args, told] of expected) {
      const run = await jp(...args, '--format', 'json')
      assert.deepEqual([run.stdout, run.code], [`${JSON.stringify(told)}\n`, 0], args.join(' '))
    }
    const fork = JSON.parse((await jp('fork', 'x', '-F', 'json')).stdout) as {id: string; forked_from: string}
    assert.deepEqual([Object.keys(fork), fork.forked_from], [['id', 'forked_from'], x])
    const refused = await jp('rm', x, '--format', 'json')
    const error = JSON.parse(refused.stderr.trim().split('\n').at(-1) ?? '') as object
    assert.deepEqual(error, {
      code: 'answer_required',
      message: 'Remove it? There is no terminal to ask on.',
      hint: 'Add --yes to do it.',
      exit_code: 2,
    })
  })

  it('W18, W21: fork and print round trip: the fork prints what the original prints, byte for byte', async () => {
    const ids = plantFixtures(root)
    for (const [name, id] of Object.entries(ids)) {
      const run = await jp('fork', id, '--format', 'json')
      assert.equal(run.code, 0, `${name}: ${run.stderr}`)
      const fork = JSON.parse(run.stdout) as {id: string; forked_from: string}
      assert.equal(fork.forked_from, id)
      const [original, copy] = [await jp('print', id, '-F', 'json'), await jp('print', fork.id, '-F', 'json')]
      assert.equal(copy.stdout, original.stdout)
    }
  })

  it('W21: a fork takes the turns that were asked for, and all configuration', async () => {
    const at = (second: number): string => `2026-09-01 08:00:0${second}.0`
    const turn = (number: number) => [
      {timestamp: at(number), type: 'turn_start'},
      {timestamp: at(number), type: 'chat_request', content: `q${number}`},
    ]
    const delta = {timestamp: at(2), type: 'config_delta', delta: {a: 1}}
    writeConversation(durable, '17750000001-x', {title: 'X', events: [...turn(1), delta, ...turn(2), ...turn(3)]})
    const requests = async (...flags: string[]): Promise<string> => {
      const {id} = JSON.parse((await jp('fork', '17750000001', '-F', 'json', ...flags)).stdout) as {id: string}
      const events = JSON.parse((await jp('print', id, '-F', 'json')).stdout) as {type: string; content?: string}[]
      return events
        .map(({type, content}) => (type === 'config_delta' ? 'delta' : (content ?? '')))
        .filter(Boolean)
        .join(' ')
    }
    assert.equal(await requests('--first', '1'), 'q1 delta')
    assert.equal(await requests('--last', '2'), 'delta q2 q3')
    assert.equal(await requests('--no-turns'), 'delta')
    assert.equal(await requests('--from', '2026-09-01T08:00:03Z'), 'delta q3')
    assert.equal(await requests('--until', '2026-09-01T08:00:01Z', '-t', 'Other'), 'q1 delta')
  })

  it('W10: --no-persist changes nothing', async () => {
    both('17750000001-x', 'X')
    mkdirSync(join(scratch.data, 'workspace', 'app-a1b2c', 'roots'))
    const before = listing(durable)
    for (const args of [
      ['rm', 'x', '--yes'],
      ['archive', 'x'],
      ['edit', 'x', '--title', 'Y'],
      ['fork', 'x'],
      ['use', 'x'],
      ['label', 'add', 'a', '-i', 'x'],
    ])
      assert.equal((await jp(...args, '--no-persist')).code, 2, args.join(' '))
    assert.deepEqual(listing(durable), before)
  })

  it('W21, Q2: grep finds what was said and what tools gave, exits 1 without a hit, and writes nothing', async () => {
    plantFixtures(root)
    const damaged = writeConversation(durable, '17750000090-bad')
    writeFileSync(join(damaged, 'events.json'), '[{')
    mkdirSync(join(scratch.home, '.cache'))
    await jp('ls')
    const before = [listing(root), listing(join(scratch.home, '.local'))]
    const tool = await jp('grep', 'A.TS', '--ignore-case', '--format', 'json')
    assert.equal(tool.code, 0)
    assert.deepEqual(JSON.parse(tool.stdout), [
      {
        id: 'jp-c17750000000',
        title: 'Every type of event',
        event: 8,
        scope: 'tool',
        timestamp: '2026-09-01T08:00:04.425831Z',
        text: 'a.ts',
      },
    ])
    assert.match(tool.stderr, /^Warning: Passed over: .*events\.json: it is cut off at byte 2\.\n/)
    assert.equal((await jp('grep', 'A.TS')).code, 1)
    assert.equal((await jp('grep', 'a.ts', '--scope', 'request')).stdout, '')
    assert.equal((await jp('grep', '-r', 'l.st.*🟢', '--output', 'ids')).stdout, 'jp-c17750000000\n')
    assert.equal((await jp('grep', 'hello', '--output', 'count')).stdout, 'jp-c17750000001 1\njp-c17750000002 1\n')
    assert.equal((await jp('grep', 'hello', '--archived', '--output', 'ids')).stdout, 'jp-c17750000003\n')
    assert.equal((await jp('grep', '(', '-r')).code, 2)
    assert.equal((await jp('grep')).code, 2)
    assert.deepEqual([listing(root), listing(join(scratch.home, '.local'))], before)
  })
})
