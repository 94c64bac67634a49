import assert from 'node:assert/strict'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {allowing, createPluginFolder, type PluginFolder, untilNoSurvivors} from '../support/plugins.js'
import {createScratch, type Scratch} from '../support/scratch.js'

/** The start of every plugin here: it takes `init`, then speaks. `say` writes a message, `hear` reads one. */
const prelude = `
def say(**message):
    sys.stdout.write(json.dumps(message) + "\\n"); sys.stdout.flush()
def raw(data):
    sys.stdout.buffer.write(data); sys.stdout.buffer.flush()
def hear():
    return json.loads(sys.stdin.readline())
def done(code=0):
    say(type="exit", code=code); sys.exit(0)
hear()
`

describe('P19: what a plugin does wrong', function () {
  let scratch: Scratch
  let plugins: PluginFolder
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    root = scratch.checkout('work', 'abcde')
  })
  afterEach(() => scratch.remove())

  const run = async (body: string, ...flags: string[]): Promise<Run> => {
    plugins.addPython('jp-bad', {command: ['bad']}, prelude + body)
    const ended = await runJp([...allowing('bad'), ...flags, 'bad'], {cwd: root, env: plugins.env, timeoutMs: 90_000})
    await untilNoSurvivors(scratch.path)
    return ended
  }
  const logHint = '\n  The stdout of a plugin is for messages: write logs to stderr.\n'
  const trace = () => readFileSync(join(scratch.path, 'trace'), 'utf8')
  const tracing = () => ['-vvvv', '--log-file', join(scratch.path, 'trace')]

  for (const [what, bytes, told] of [
    ['a banner', 'b"Listening on 3000\\n"', '(line 1: it is not JSON): "Listening on 3000"'],
    ['null', 'b"null\\n"', '(line 1: it is not a JSON object): "null"'],
    ['a list', 'b"[]\\n"', '(line 1: it is not a JSON object): "[]"'],
    ['a text', 'b"\\"x\\"\\n"', '(line 1: it is not a JSON object): "\\"x\\""'],
    ['an object without type', 'b"{}\\n"', '(line 1: it has no "type"): "{}"'],
    [
      'a byte order mark',
      'b"\\xef\\xbb\\xbf{\\"type\\":\\"ready\\"}\\n"',
      '(line 1: it is not JSON): "<U+FEFF>{\\"type\\":\\"ready\\"}"',
    ],
    ['escape sequences', 'b"\\x1b[2Jhi\\n"', '(line 1: it is not JSON): "<U+001B>[2Jhi"'],
    ['a long line', 'b"x" * 200 + b"\\n"', `(line 1: it is not JSON): "${'x'.repeat(120)}"…`],
    [
      'bytes that are not UTF-8',
      'b"{\\"type\\":\\"caf\\xe9\\"}\\n"',
      '(line 1: it is not UTF-8): "{\\"type\\":\\"café\\"}"',
    ],
    [
      'an unknown type without id',
      'b"{\\"type\\":\\"frobnicate\\"}\\n"',
      '(line 1: there is no message of type "frobnicate"): "{\\"type\\":\\"frobnicate\\"}"',
    ],
    [
      'wrong fields without id',
      'b"{\\"type\\":\\"exit\\",\\"code\\":300}\\n"',
      '(line 1: "code": Too big: expected number to be <=255): "{\\"type\\":\\"exit\\",\\"code\\":300}"',
    ],
  ] as const) {
    it(`P19, FR-33: ${what} on stdout is fatal, quoted with its line number`, async () => {
      const ended = await run(`raw(${bytes})\nhear()`)
      assert.equal(ended.stderr, `Error: The plugin "bad" wrote a line that is not a message ${told}.${logHint}`)
      assert.deepEqual([ended.code, ended.stdout], [7, ''])
    })
  }

  it('FR-33: blank lines are nothing', async () => {
    assert.deepEqual(await run('raw(b"\\n \\n\\r\\n")\ndone(4)'), {code: 4, stdout: '', stderr: ''})
  })

  it('P19, FR-34: an unknown type and wrong fields with an id are answered, and the plugin lives on', async () => {
    const ended = await run(`
say(type="frobnicate", id="x"); first = hear()
say(type="read_events", id="y", conversation=5); second = hear()
say(type="print", text=json.dumps([first, second])); done()`)
    assert.deepEqual(JSON.parse(ended.stdout), [
      {
        type: 'error',
        id: 'x',
        request: 'frobnicate',
        code: 'request_unknown',
        message: 'The request "frobnicate" was refused: there is no message of type "frobnicate".',
      },
      {
        type: 'error',
        id: 'y',
        request: 'read_events',
        code: 'request_invalid',
        message:
          'The request "read_events" was refused: "conversation": Invalid input: expected string, received number.',
      },
    ])
    assert.equal(ended.code, 0)
  })

  it('P19, FR-32: UTF-8 that is written byte by byte arrives whole', async () => {
    const ended = await run(`
message = {"type": "print", "text": "—é漢🟢"}
for byte in (json.dumps(message, ensure_ascii=False) + "\\n").encode(): raw(bytes([byte]))
done()`)
    assert.deepEqual(ended, {code: 0, stdout: '—é漢🟢', stderr: ''})
  })

  it('P19: a line over 16 MiB is fatal; one of 16 MiB is not', async () => {
    const big = (length: string) =>
      `raw(b'{"type":"log","level":"info","message":"' + b"x" * (${length} - 42) + b'"}\\n')\n`
    assert.equal((await run(`${big('16 * 1024 * 1024')}done(4)`)).code, 4)
    const ended = await run(`${big('16 * 1024 * 1024 + 1')}hear()`)
    assert.match(ended.stderr, /wrote a line that is not a message \(line 1: it is longer than 16 MiB\)/)
    assert.equal(ended.code, 7)
  })

  it('P19: towards the plugin there is no limit: a message of 20 MB arrives whole', async () => {
    const conversation = join(root, '.jp', 'conversations', '17567136000')
    scratch.write(
      join('work', '.jp', 'conversations', '17567136000', 'metadata.json'),
      '{"last_activated_at":"2026-09-01 08:00:00.0"}\n',
    )
    const event = {timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'é🟢'.repeat(3_000_000)}
    scratch.write(join('work', '.jp', 'conversations', '17567136000', 'events.json'), JSON.stringify([event]))
    const ended = await run(`
say(type="read_events", id="x", conversation="17567136000"); answer = hear()
say(type="print", text=str(answer["data"][0]["content"] == "é🟢" * 3000000)); done()`)
    assert.deepEqual(ended, {code: 0, stdout: 'True', stderr: ''}, conversation)
  })

  it('P19, FR-34: a protocol above ours in "ready", and a second "ready", are fatal', async () => {
    const above = await run('say(type="ready", protocol=9999)\nhear()')
    assert.match(above.stderr, /^Error: The plugin "bad" needs protocol 9999; this jp speaks \d+\.\n {2}Update jp\.\n$/)
    const twice = await run('say(type="ready")\nsay(type="ready")\nhear()')
    assert.match(twice.stderr, /^Error: The plugin "bad" said "ready" twice\.\n/)
    assert.deepEqual([above.code, twice.code], [7, 7])
  })

  it('P19: one that never says "ready" is served all the same, and told of once after 10 s', async () => {
    const ended = await run('time.sleep(12)\nsay(type="list_conversations", id="a"); hear()\ndone()')
    assert.equal(
      ended.stderr,
      'Warning: The plugin "bad" has not said "ready" after 10 s; it is served all the same.\n',
    )
    assert.equal(ended.code, 0)
  })

  it('P19: an end without "exit" is exit 7, with how it ended and its last words', async () => {
    const code = await run(
      'print("one", file=sys.stderr)\nprint("two\\x1b[31m", file=sys.stderr)\nsys.stderr.flush()\nsys.exit(3)',
    )
    assert.equal(
      code.stderr,
      'Error: The plugin "bad" ended with code 3 without saying "exit".\n  Its last words on stderr:\n  one\n  two\n',
    )
    const signal = await run('os.kill(os.getpid(), signal.SIGKILL)')
    assert.equal(
      signal.stderr,
      'Error: The plugin "bad" was ended by SIGKILL without saying "exit".\n  It wrote nothing to stderr.\n',
    )
    assert.deepEqual([code.code, signal.code], [7, 7])
  })

  it('P19: one that closes its stdout and stays is ended', async () => {
    const ended = await run('os.close(1)\ntime.sleep(1000)')
    assert.match(ended.stderr, /^Error: The plugin "bad" was ended by SIGKILL without saying "exit"\.\n/)
    assert.equal(ended.code, 7)
  })

  it('P18, P19, FR-35: after "exit" a grandchild that holds the pipes has 1 s, then the group is ended', async () => {
    const started = performance.now()
    const ended = await run('subprocess.Popen(["sleep", "1000"])\ndone(5)')
    const tookMs = performance.now() - started
    assert.deepEqual(ended, {code: 5, stdout: '', stderr: ''})
    assert.ok(tookMs > 1000, `${tookMs} ms`)
  })

  it('P19: output after "exit" is ignored, with one line in the trace', async () => {
    const ended = await run(
      'say(type="exit", code=6)\nfor _ in range(3): say(type="print", text="late")\nraw(b"junk\\n")',
      ...tracing(),
    )
    assert.deepEqual([ended.code, ended.stdout], [6, ''])
    assert.equal(trace().split('output after \\"exit\\" is ignored').length, 2)
  })

  it('P19, S31: one that does not read its stdin is given up once over 64 MiB wait; other work goes on', async () => {
    scratch.write('home/.config/jp/config.toml', 'assistant.model.id = "echo/echo"\n')
    scratch.write(
      join('work', '.jp', 'conversations', '17567136000', 'metadata.json'),
      '{"last_activated_at":"2026-09-01 08:00:00.0"}\n',
    )
    const event = {timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'x'.repeat(5_000_000)}
    scratch.write(join('work', '.jp', 'conversations', '17567136000', 'events.json'), JSON.stringify([event]))
    const ended = await run(`
say(type="query", id="q", new=True, content="other work")
for i in range(40): say(type="read_events", id=str(i), conversation="17567136000")
time.sleep(1000)`)
    assert.match(ended.stderr, /^Error: The plugin "bad" does not read its stdin: over 64 MiB wait for it\.\n/)
    assert.equal(ended.code, 7)
    const shelf = join(root, '.jp', 'conversations')
    const [made = ''] = readdirSync(shelf).filter((name) => name !== '17567136000')
    const events: {message?: string}[] = JSON.parse(readFileSync(join(shelf, made, 'events.json'), 'utf8'))
    assert.equal(events.at(-1)?.message, 'other work')
  })

  it('P19: a slow reader is not given up: what waits is bounded, and all arrives', async () => {
    scratch.write(
      join('work', '.jp', 'conversations', '17567136000', 'metadata.json'),
      '{"last_activated_at":"2026-09-01 08:00:00.0"}\n',
    )
    const event = {timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'x'.repeat(5_000_000)}
    scratch.write(join('work', '.jp', 'conversations', '17567136000', 'events.json'), JSON.stringify([event]))
    const ended = await run(
      'for i in range(20): say(type="read_events", id=str(i), conversation="17567136000")\nids = [hear()["id"] for _ in range(20)]\nsay(type="print", text=str(ids == [str(i) for i in range(20)])); done()',
    )
    assert.deepEqual(ended, {code: 0, stdout: 'True', stderr: ''})
  })

  it('P19: a flood on stderr is cut to 1 MiB a second, with a note in the trace', async () => {
    const started = performance.now()
    const ended = await run(
      'for _ in range(600): sys.stderr.write(("x" * 1023 + "\\n") * 16)\nsys.stderr.flush()\ndone()',
      ...tracing(),
    )
    const seconds = (performance.now() - started) / 1000
    assert.deepEqual(ended, {code: 0, stdout: '', stderr: ''})
    assert.match(trace(), /\d+ bytes were cut: more than 1 MiB in one second/)
    // A line of the trace says more than the line that it is about.
    assert.ok(trace().length < (seconds + 1) * 1.5 * 1024 * 1024, `${trace().length} bytes of trace in ${seconds} s`)
  })

  describe('floods on stdout: the memory of jp stays bounded', () => {
    /** Megabytes that jp holds now, and `flood`, which writes and notes by how much that grew at most. */
    const meter = `
def held():
    return int([line for line in open("/proc/%d/status" % os.getppid()) if line.startswith("VmRSS")][0].split()[1]) // 1024
before = held()
def flood(data, times):
    peak = 0
    for _ in range(times):
        raw(data); peak = max(peak, held() - before)
        open(os.environ["HOME"] + "/peak", "w").write(str(peak))
`
    const peak = () => Number(readFileSync(join(scratch.home, 'peak'), 'utf8'))

    it('P19: 256 MiB of messages wait for themselves', async () => {
      const ended = await run(`${meter}
line = (json.dumps({"type": "log", "level": "trace", "message": "x" * 65000}) + "\\n").encode()
flood(line * 16, 256)
done()`)
      assert.deepEqual(ended, {code: 0, stdout: '', stderr: ''})
      assert.ok(peak() < 128, `${peak()} MiB`)
    })

    it('P19: a line that never ends is given up at 16 MiB', async () => {
      const ended = await run(`${meter}flood(b"x" * 1048576, 256)`)
      assert.match(ended.stderr, /\(line 1: it is longer than 16 MiB\)/)
      assert.equal(ended.code, 7)
      assert.ok(peak() < 128, `${peak()} MiB`)
    })
  })
})
