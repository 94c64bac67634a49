import assert from 'node:assert/strict'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {writeConversation} from '../support/conversations.js'
import {type Run, runJp} from '../support/jp.js'
import {startModelServer} from '../support/model-server.js'
import {startOnTerminal, type TerminalRun} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const timestamp = '2026-09-01 08:00:00.0'

describe('jp query: flags', () => {
  let scratch: Scratch
  let root: string
  let runs: TerminalRun[] = []
  const id = 'jp-c17750000001'

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('home/.config/jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
    writeConversation(join(root, '.jp', 'conversations'), '17750000001-x', {
      title: 'X',
      events: [
        {timestamp, type: 'turn_start'},
        {timestamp, type: 'chat_request', content: 'the question'},
        {timestamp, type: 'chat_response', message: 'the answer\nin two lines'},
      ],
    })
  })
  afterEach(() => {
    for (const run of runs) run.kill()
    runs = []
    scratch.remove()
  })

  const env = (more: Readonly<Record<string, string>> = {}) => ({...scratch.env, JP_SESSION: 'tab', ...more})
  const jp = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Run> =>
    runJp(args, {cwd: root, env: env(more)})
  const onTerminal = (args: readonly string[], more: Readonly<Record<string, string>> = {}): TerminalRun => {
    const run = startOnTerminal(args, {cwd: root, env: env(more)})
    runs.push(run)
    return run
  }
  /** An editor that keeps what it found, and leaves this text. */
  const editor = (text: string): Record<string, string> => ({
    EDITOR: `sh ${scratch.write('edit.sh', `cp "$1" ${scratch.path}/seen.md\ncat > "$1" <<'END'\n${text}\nEND\n`)}`,
  })
  const seen = (): string => readFileSync(join(scratch.path, 'seen.md'), 'utf8')
  const folder = (): string => join(root, '.jp', 'conversations')
  const latest = (): string =>
    join(
      folder(),
      readdirSync(folder())
        .filter((name) => /^\d/.test(name))
        .sort()
        .at(-1) ?? '',
    )
  const events = (at = latest()): Record<string, unknown>[] =>
    JSON.parse(readFileSync(join(at, 'events.json'), 'utf8')) as Record<string, unknown>[]
  const labels = (at = latest()): unknown =>
    (JSON.parse(readFileSync(join(at, 'metadata.json'), 'utf8')) as {labels?: unknown}).labels

  it('facts 8.3: --replay sends the last request again, as if it had no answer; what is stored stays', async () => {
    const server = await startModelServer()
    server.plays({says: {text: ['another answer']}})
    const spy = ['-m', 'spy/model', '-c', `providers.llm.spy:={"type":"openai-compatible","base_url":"${server.url}"}`]
    const run = await jp(['q', '-i', id, ...spy, '--replay'])
    await server.close()
    assert.deepEqual([run.stdout, run.stderr, run.code], ['another answer\n', '', 0])
    assert.deepEqual(server.seen.length, 1)
    const prompt = JSON.stringify(server.seen[0]?.body)
    assert.ok(prompt.includes('the question') && !prompt.includes('the answer'), prompt)
    assert.deepEqual(
      events().flatMap(({content, message}) => content ?? message ?? []),
      ['the question', 'the answer\nin two lines', 'the question', 'another answer'],
    )
    assert.equal((await jp(['q', '-i', id, '--replay', 'words'])).code, 2)
    assert.equal((await runJp(['q', '--replay'], {cwd: root, env: {...env(), JP_SESSION: 'other'}})).code, 2)
  })

  it('facts 8.3: --template fills the message in from template.values; what is missing is asked for, or named', async () => {
    const words = ['q', '-n', '--template', 'Fix {{bug.id}} in {{ place | upper }} for {{name | default("all")}}']
    const values = ['-c', 'template.values.bug:={"id":7}']
    const filled = await jp([...words, ...values, '-c', 'template.values.place=src'])
    assert.deepEqual([filled.stdout, filled.code], ['Fix 7 in SRC for all\n', 0])
    const missing = await jp([...words, ...values])
    assert.deepEqual(
      [missing.code, missing.stderr],
      [2, 'Error: The template needs a value for place.\n  Give it one: -c template.values.place=…\n'],
    )
    const asked = onTerminal([...words, ...values])
    await asked.waitFor('place:')
    asked.type('lib\r')
    assert.equal(await asked.exited, 0)
    assert.equal(events()[1]?.['content'], 'Fix 7 in LIB for all')
    const piped = await runJp(['q', '-n', '--template', 'x'], {cwd: root, env: env(), input: 'data {{place}}'})
    assert.equal(piped.stdout, 'data {{place}}\n\nx\n')
  })

  it('facts 8.3: --quote opens the editor with the last answer quoted', async () => {
    const run = onTerminal(['q', '-i', id, '--quote', 'about this:'], editor('why two?'))
    assert.equal(await run.exited, 0)
    assert.ok(seen().startsWith('> the answer\n> in two lines\n\nabout this:\n\n----'), seen())
    assert.equal(events().at(-1)?.['message'], 'why two?')
  })

  it('W34: a file that a written message mentions is attached, from then on; one that is not there is an error', async () => {
    scratch.write('app/notes.txt', 'text of the notes')
    const run = onTerminal(['q', '-n', '-e'], editor('look at @notes.txt'))
    assert.equal(await run.exited, 0)
    const deltas = events().filter(({type}) => type === 'config_delta')
    assert.match(JSON.stringify(deltas), /"attachments":.*notes\.txt/)
    const missing = onTerminal(['q', '-n', '-e'], editor('look at @./nope.txt'))
    assert.equal(await missing.exited, 3)
    assert.match(missing.received, /Can't attach nope\.txt: there is no such file/)
  })

  it('W23, facts 2.9: --tmp says when a new conversation may go, counted from its creation; it goes when that is asked for', async () => {
    const made = async (
      ...args: readonly string[]
    ): Promise<{id: string; spanMs: number | undefined; title: unknown}> => {
      const run = await jp(['query', '--new', '--format', 'json', ...args, 'hello'])
      assert.equal(run.code, 0, run.stderr)
      const {conversation} = JSON.parse(run.stdout.split('\n')[0] ?? '') as {conversation: string}
      const metadata = JSON.parse(readFileSync(join(latest(), 'metadata.json'), 'utf8')) as Record<string, string>
      const {expires_at: expires} = metadata
      const at = expires === undefined ? undefined : Date.parse(`${expires.replace(' ', 'T')}Z`)
      const createdMs = Number(conversation.slice('jp-c'.length)) * 100
      return {id: conversation, spanMs: at === undefined ? undefined : at - createdMs, title: metadata['title']}
    }
    const temporary = await made('--tmp=1d 2h', '--title', 'For now')
    assert.deepEqual([temporary.spanMs, temporary.title], [26 * 3_600_000, 'For now'])
    const active = await made('--tmp')
    assert.equal(active.spanMs, 0)
    const listed = await jp(['conversation', 'ls'])
    assert.match(listed.stdout, new RegExp(`${temporary.id} \\| For now .* temporary \\|`))
    assert.match(listed.stdout, new RegExp(`\\* \\| ${active.id} .* expired \\|`))
    // While a session is in it, and before its time, nothing goes.
    const kept = await jp(['conversation', 'rm', '--expired', '--yes'])
    assert.deepEqual([kept.code, kept.stderr], [0, 'There is nothing to remove.\n'])
    assert.equal((await made()).spanMs, undefined)
    const removed = await jp(['conversation', 'rm', '--expired', '--yes'])
    assert.equal(removed.stdout, `Removed ${active.id}.\n`)
    assert.deepEqual(readdirSync(folder()).filter((name) => /^\d/.test(name)).length, 3)
  })

  it('W23, Q4: flags that do not go together are named, and nothing is sent', async () => {
    const before = readdirSync(folder())
    for (const [args, told] of [
      [['--tmp=2h'], '--tmp needs --new.'],
      [['--new', '--tmp=soon'], '--tmp can\'t be "soon".'],
      [['--new', '--id', 'x'], '--id and --new exclude each other.'],
      [['--edit', '--no-edit'], '--edit and --no-edit exclude each other.'],
    ] as const) {
      const run = await jp(['query', ...args, 'hello'])
      assert.deepEqual([run.code, run.stdout, run.stderr.split('\n')[0]], [2, '', `Error: ${told}`])
    }
    assert.deepEqual(readdirSync(folder()), before)
  })

  it('facts 8.3: --no-title gives no title, --no-tool-use lets no tool be called', async () => {
    await jp(['q', '-n', '--no-title', '-U', '# A heading'])
    assert.match(latest(), /\/\d+$/)
    assert.match(readFileSync(join(latest(), 'base_config.json'), 'utf8'), /"tool_choice": "none"/)
  })

  it('facts 7.5: labels are put on by rule: plain ones, and those that a command prints', async () => {
    scratch.write(
      'home/.config/jp/config.toml',
      `[assistant.model]
id = "echo/echo"
[conversation.labels]
team = "store"
branch = {value = {cmd = "echo main"}, run = "unattended"}
place = {value = {cmd = {program = "pwd", shell = true}}, run = "unattended", apply_on = {new = false, fork = true}}
asked = {value = {cmd = "touch asked"}}
denied = {value = {cmd = "touch denied"}, run = "deny"}
failing = {value = {cmd = "false"}, run = "unattended"}
`,
    )
    const run = await jp(['q', '-n', '--label', 'mine=1', 'x'])
    assert.deepEqual(labels(), {branch: 'main', mine: '1', team: 'store'})
    assert.deepEqual(run.stderr.split('\n'), [
      'Warning: The label asked was left out: nobody could be asked about its command.',
      'Warning: The label denied was left out: its command is denied.',
      'Warning: The label failing was left out: false ended with exit code 1.',
      '',
    ])
    assert.deepEqual(
      ['asked', 'denied'].filter((name) => existsSync(join(root, name))),
      [],
    )
    const terminal = onTerminal(['q', '-i', id, '--label', ':asked', '--label', 'more', 'y'])
    await terminal.waitFor('touch asked')
    await terminal.waitFor('Run this for the label asked')
    terminal.type('y\r')
    assert.equal(await terminal.exited, 0)
    assert.deepEqual(labels(join(folder(), '17750000001-x')), {asked: '', more: ''})
    await jp(['q', '-i', id, '--fork', 'z'])
    assert.deepEqual(labels(), {asked: '', more: '', place: root})
    await jp(['c', 'fork', id, '--reset-labels'])
    assert.deepEqual(labels(), {place: root})
    const unknown = await jp(['q', '-n', '--label', ':nope', 'x'])
    assert.equal(unknown.code, 2)
  })

  it('W30: the command of a label that only the checkout names is not run; naming it is exit 5', async () => {
    scratch.write(
      'app/.jp/config.toml',
      '[conversation.labels]\nbranch = {value = {cmd = "touch marked"}, run = "unattended"}\nplain = "kept"\n',
    )
    const run = await jp(['q', '-n', 'x'])
    assert.equal(run.code, 0)
    assert.match(run.stderr, /jp w trust/)
    assert.equal((labels() as Record<string, string>)['plain'], 'kept')
    assert.equal((await jp(['q', '-n', '--label', ':branch', 'x'])).code, 5)
    assert.ok(!existsSync(join(root, 'marked')))
  })

  it('facts 7.7: an answer that was cut at its longest is gone on with, and is one answer', async () => {
    const steps = [{text: 'The answer is lo'}, {end: 'length'}, {text: 'ng.'}, {end: 'stop'}]
    const script = {JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(steps))}
    const run = await jp(['q', '-n', '-c', 'providers.llm.echo.chain_on_max_tokens:=true', 'x'], script)
    assert.deepEqual([run.stdout, run.stderr, run.code], ['The answer is long.\n', '', 0])
    assert.equal(events().at(-1)?.['message'], 'The answer is long.')
    const cut = await jp(['q', '-n', 'x'], script)
    assert.deepEqual([cut.stdout, cut.code], ['The answer is lo\n', 0])
    assert.equal(cut.stderr, 'Warning: The answer ends here because max_tokens was reached.\n')
  })
})
