import assert from 'node:assert/strict'
import {execFileSync, spawn} from 'node:child_process'
import {chmodSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, type Run, type RunOptions, runJp} from '../support/jp.js'
import {createScratch, git, type Scratch} from '../support/scratch.js'

describe('jp query', () => {
  let scratch: Scratch
  let root: string

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
  })
  afterEach(() => scratch.remove())

  const env = (more: Readonly<Record<string, string>> = {}) => ({...scratch.env, JP_SESSION: 'tab', ...more})
  const query = (args: readonly string[], options: Partial<RunOptions> = {}): Promise<Run> =>
    runJp(['query', ...args], {cwd: root, env: env(), ...options})
  const script = (steps: readonly unknown[]): Record<string, string> =>
    env({JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(steps))})
  /** Runs a command line in which `$JP` is jp. */
  const shell = (line: string): string => {
    const jp = scratch.write('jp', `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`)
    chmodSync(jp, 0o755)
    return execFileSync('sh', ['-c', line], {
      cwd: root,
      env: env({JP: jp}),
      encoding: 'utf8',
      timeout: 110_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  }
  const conversations = (): string[] =>
    readdirSync(join(root, '.jp', 'conversations')).filter((name) => /^\d/.test(name))
  const stored = (): {type: string; content?: string; message?: string}[] => {
    const [only] = conversations()
    return JSON.parse(readFileSync(join(root, '.jp', 'conversations', only ?? '', 'events.json'), 'utf8')) as []
  }
  const words = (): string[] => stored().flatMap(({content, message}) => content ?? message ?? [])

  it('W23, W25, W29, Q1: prints the answer alone, exactly as it came, and one newline', async () => {
    assert.deepEqual(await query(['--new', 'hello wörld']), {stdout: 'hello wörld\n', stderr: '', code: 0})
    assert.deepEqual(await query(['  two  spaces\tand a tab  ']), {
      stdout: '  two  spaces\tand a tab  \n',
      stderr: '',
      code: 0,
    })
    assert.equal((await query(['ends\n\n\n'])).stdout, 'ends\n')
    assert.equal(conversations().length, 1)
  })

  it('W31: what the model says never brings control characters to stdout', async () => {
    const text = 'red \u001b[31mword\u001b]0;title\u0007 \u202eback\u0000\u0008 end'
    const {stdout} = await query(['-n', 'x'], {env: script([{text, chunk: 1}])})
    assert.equal(stdout, 'red word back end\n')
  })

  it('W23: without a conversation in this session a new one starts, and one line says so', async () => {
    const run = await query(['hello'])
    assert.match(run.stderr, /^Started a new conversation, jp-c\d+\. To continue another: jp query --id ID …\n$/)
    assert.deepEqual([run.stdout, run.code], ['hello\n', 0])
    assert.deepEqual(await query(['again']), {stdout: 'again\n', stderr: '', code: 0})
    assert.deepEqual(words(), ['hello', 'hello', 'again', 'again'])
    assert.match((await query(['other'], {env: env({JP_SESSION: 'another'})})).stderr, /^Started a new conversation/)
  })

  it('W23: default_id names what goes on when the session has none', async () => {
    await query(['-n', 'one'])
    const other = {env: env({JP_SESSION: 'another'})}
    assert.deepEqual(await query(['-c', 'conversation.default_id=last', 'two'], other), {
      stdout: 'two\n',
      stderr: '',
      code: 0,
    })
    assert.deepEqual(words(), ['one', 'one', 'two', 'two'])
  })

  it('W25: with no model configured a script is told of --model and jp init', async () => {
    scratch.write('app/.jp/config.toml', '')
    const run = await query(['hello'])
    assert.deepEqual([run.stdout, run.code], ['', 2])
    assert.equal(
      run.stderr,
      'Error: No model is configured.\n' +
        '  Name one for this run: jp query --model PROVIDER/NAME …\n' +
        '  Or for this workspace: jp config set assistant.model.id=PROVIDER/NAME (in a new one, jp init asks)\n',
    )
    assert.deepEqual(readdirSync(join(root, '.jp')), ['.id', 'config.toml'])
    assert.equal((await query(['--model', 'echo/echo', 'hello'])).stdout, 'hello\n')
    assert.equal((await query(['the model is remembered'])).stdout, 'the model is remembered\n')
  })

  it('Q3: --format json is one event a line, with the id of the conversation in the first', async () => {
    const run = await query(['-n', '-F', 'json', 'hi there'])
    const lines = run.stdout.split('\n')
    assert.equal(lines.pop(), '')
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const id = `jp-c${conversations()[0]}`
    const time = (event: unknown): string => (event as {timestamp: string}).timestamp
    assert.deepEqual(events, [
      {type: 'turn_started', conversation: id, is_new: true, workspace: 'abcde', root, model: 'echo/echo'},
      {type: 'event', event: {type: 'turn_start', timestamp: time(events[1]?.['event'])}},
      {type: 'event', event: {type: 'chat_request', content: 'hi there', timestamp: time(events[2]?.['event'])}},
      {type: 'text_delta', text: 'hi '},
      {type: 'text_delta', text: 'there'},
      {type: 'event', event: {type: 'chat_response', message: 'hi there', timestamp: time(events[5]?.['event'])}},
      {type: 'usage', usage: events[6]?.['usage']},
      {
        type: 'turn_ended',
        outcome: 'completed',
        finish_reason: 'stop',
        answer: 'hi there',
        usage: events[6]?.['usage'],
        denied: [],
      },
    ])
    assert.deepEqual([run.stderr, run.code], ['', 0])
  })

  it('W24, Q2: what came before a cut is printed and kept; the error says what happened', async () => {
    const run = await query(['-n', 'x'], {env: script([{text: 'The answer is'}, {cut: true}])})
    assert.deepEqual([run.stdout, run.code], ['The answer is\n', 6])
    assert.match(run.stderr, /^Error: /)
    assert.deepEqual(words(), ['x', 'The answer is'])
  })

  it('FR-13: a repeatable flag never takes the message', async () => {
    for (const args of [
      ['-n', '--cfg', 'user.name=ann', 'hello there'],
      ['-n', '-c', 'user.name=ann', '-c', 'assistant.name=bo', 'hello there'],
      ['-n', 'hello there', '-c', 'user.name=ann'],
      ['-n', '--label', 'a=1', 'hello there', '--param', 'temperature=0.5'],
    ]) {
      assert.deepEqual(await query(args), {stdout: 'hello there\n', stderr: '', code: 0}, args.join(' '))
    }
  })

  it('Q1, W23: what stands on stdin goes in front of the message', async () => {
    assert.equal((await query(['-n', 'sum', 'up'], {input: 'some notes\n'})).stdout, 'some notes\n\nsum up\n')
    assert.equal((await query(['-n'], {input: '  only stdin\n\n'})).stdout, '  only stdin\n')
    assert.equal(shell('printf "notes" | $JP query -n "sum up" | tr a-z A-Z'), 'NOTES\n\nSUM UP\n')
  })

  it('Q1: text that comes a second late on stdin is not lost', () => {
    assert.equal(shell('(sleep 1; echo late) | $JP query -n "q"'), 'late\n\nq\n')
  })

  it('FR-56: an open pipe that nobody writes is not waited for when there is a message', async () => {
    // A wait would be told of on stderr.
    assert.equal(shell('mkfifo f; exec 9<>f; timeout 60 $JP query -n "hi" <&9 2>&1; echo "code $?"'), 'hi\ncode 0\n')
    assert.equal(shell('mkfifo g; exec 9<>g; echo content >&9; timeout 60 $JP query -n "hi" <&9'), 'content\n\nhi\n')
  })

  it('FR-56: a parent that holds the pipe open and never writes is given up after a while, and said so', async () => {
    const child = spawn(process.execPath, [launcher, 'query', '-n', 'hi'], {cwd: root, env: env(), stdio: 'pipe'})
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => err.push(bytes))
    const code = await new Promise((resolve) => child.on('close', resolve))
    child.stdin.destroy()
    assert.deepEqual([Buffer.concat(out).toString(), code], ['hi\n', 0])
    assert.match(Buffer.concat(err).toString(), /Nothing came on stdin within 3 s/)
  })

  it('FR-55: a loop over a file is not drained by a query that has its message', () => {
    const line = 'printf "a\\nb\\nc\\n" > list; while read -r l; do $JP query -n "$l"; done < list'
    assert.equal(shell(line), 'a\nb\nc\n')
    assert.equal(shell('printf "a\\nb\\n" | while read -r l; do $JP query -n "$l" </dev/null; done'), 'a\nb\n')
  })

  it('FR-27: bytes that are no text are replaced, said, and stored as valid UTF-8', async () => {
    const run = await query(['-n'], {input: Buffer.from('caf\xe9 \xff\xfe\0\n', 'latin1'), env: env({LANG: 'C'})})
    assert.deepEqual(run, {
      stdout: 'caf\ufffd \ufffd\ufffd\ufffd\n',
      stderr: 'Warning: Some bytes on stdin are no text (UTF-8); they were replaced by U+FFFD.\n',
      code: 0,
    })
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grüße', 'utf16le')])
    assert.deepEqual(await query(['-n'], {input: utf16}), {stdout: 'grüße\n', stderr: '', code: 0})
  })

  it('Q8, FR-54: a reader that goes away ends the turn quietly with 0; what came is kept', () => {
    scratch.write('steps.json', JSON.stringify([{text: 'word {n} ', repeat: 200_000}]))
    const line = 'JP_ECHO_SCRIPT=../steps.json $JP query -n x </dev/null | head -c 6; echo; echo done'
    assert.equal(shell(line), 'word 0\ndone\n')
    const [, message = ''] = words()
    assert.ok(message.startsWith('word 0 word 1 '))
  })

  it('facts 8.3: an empty message is ignored; --no-edit sends again what has no answer, else goes on', async () => {
    assert.deepEqual(await query([]), {stdout: '', stderr: 'The message is empty; nothing was sent.\n', code: 0})
    await query(['-n', 'x'], {env: script([{error: 'refused'}])})
    assert.equal((await query(['--no-edit'])).stdout, 'x\n')
    assert.equal((await query(['--no-edit'])).stdout, 'Continue.\n')
    assert.deepEqual(words(), ['x', 'x', 'Continue.', 'Continue.'])
  })

  it('W28: the title is what --title says, else the heading of the message', async () => {
    await query(['-n', '--title', 'My plan', 'x'])
    assert.match(conversations()[0] ?? '', /^\d+-my-plan$/)
    await query(['--title', 'Another', 'y'])
    assert.match(conversations()[0] ?? '', /^\d+-another$/)
    await query(['-n', '# A heading\n\nand more'])
    assert.ok(conversations().some((name) => name.endsWith('-a-heading')))
  })

  it('W23: --local keeps a conversation out of the checkout, --no-persist stores nothing', async () => {
    assert.equal((await query(['-n', '--local', 'secret'])).stdout, 'secret\n')
    assert.throws(conversations)
    assert.equal((await query(['-P', '-n', 'unstored'])).stdout, 'unstored\n')
    assert.equal((await query(['-P', 'unstored too'])).stdout, 'unstored too\n')
    const silo = join(scratch.data, 'workspace', 'app-abcde', 'conversations')
    assert.equal(readdirSync(silo).length, 1)
  })

  it('W23: --schema gives data; an answer that is no JSON is a failure of the provider', async () => {
    const run = await query(['-n', '--schema', 'name, age int', 'invent'], {
      env: script([{data: {name: 'Bo', age: 3}}]),
    })
    assert.deepEqual(run, {stdout: '{"name":"Bo","age":3}\n', stderr: '', code: 0})
    assert.deepEqual(stored().at(-1), {
      timestamp: (stored().at(-1) as {timestamp?: string}).timestamp,
      type: 'chat_response',
      data: {name: 'Bo', age: 3},
    })
    assert.equal((await query(['-n', '--schema', '{"type":"object"}', 'no json'])).code, 7)
  })

  it('S19, S28, FR-09: a conversation goes on in another checkout with a notice, or with --there where it was', async () => {
    git(root, scratch.env, 'init', '-q')
    git(root, scratch.env, 'add', '.jp/.id', '.jp/config.toml')
    git(root, scratch.env, 'commit', '-qm', 'x')
    git(root, scratch.env, 'worktree', 'add', '-q', '../wt')
    const tree = join(scratch.path, 'wt')
    await query(['-n', 'one'])
    const id = `jp-c${conversations()[0]}`
    const moved = await query(['--id', id, 'two'], {cwd: tree})
    assert.deepEqual(moved, {stdout: 'two\n', stderr: `last ran in ${root}; running in ${tree}\n`, code: 0})
    const back = await query(['--id', id, '--there', '-F', 'json', 'three'])
    assert.equal((JSON.parse(back.stdout.split('\n')[0] ?? '') as {root: string}).root, tree)
    assert.equal(back.stderr, '')
    const again = await query(['--id', id, 'four'])
    assert.equal(again.stderr, `last ran in ${tree}; running in ${root}\n`)
  })
})
