import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync, realpathSync, rmSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {hostProtocol} from '../../src/plugin/manifest.js'
import {launcher, type Run, runJp} from '../support/jp.js'
import {allowing, createPluginFolder, type PluginFolder, untilNoSurvivors} from '../support/plugins.js'
import {until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'

/** Prints `init` and the environment, then ends. */
const mirror = `
init = json.loads(sys.stdin.readline())
print(json.dumps({"type": "print", "text": json.dumps({"init": init, "env": dict(os.environ), "cwd": os.getcwd()})}))
print(json.dumps({"type": "exit", "code": 0}))`

const say = 'say() { printf "%s\\n" "$1"; }\nread -r init\n'

describe('the plugin host', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    root = scratch.checkout('work', 'abcde')
  })
  afterEach(async () => {
    await untilNoSurvivors(scratch.path)
    scratch.remove()
  })

  const jp = (args: readonly string[], more: {cwd?: string; env?: Record<string, string>} = {}): Promise<Run> =>
    runJp(args, {cwd: more.cwd ?? root, env: {...plugins.env, ...more.env}})

  for (const [typed, expected] of [
    [
      ['foo', '--watch', '-x'],
      ['--watch', '-x'],
    ],
    [
      ['foo', '--', '--watch', '-w', 'z'],
      ['--', '--watch', '-w', 'z'],
    ],
    [
      ['foo', 'bar', '-w', 'nowhere', '--cfg', 'x=1', '-F', 'json'],
      ['bar', '-w', 'nowhere', '--cfg', 'x=1', '-F', 'json'],
    ],
    [['foo', '-h'], ['-h']],
    [['foo', '--help'], ['--help']],
    [['foo', '--version'], ['--version']],
    [['foo', ''], ['']],
    [
      ['foo', 'a\nb', 'c d', "it's", '🟢', '-'],
      ['a\nb', 'c d', "it's", '🟢', '-'],
    ],
    [['foo', 'notes:https://x:1/y'], ['notes:https://x:1/y']],
  ] as const) {
    it(`P6, FR-57: "jp ${typed.join(' ').replaceAll('\n', '\\n')}" hands over exactly what follows the claim`, async () => {
      plugins.addPython('jp-foo', {command: ['foo']}, mirror)
      const run = await jp([...allowing('foo'), '-w', root, ...typed])
      assert.equal(run.code, 0, run.stderr)
      assert.deepEqual(JSON.parse(run.stdout).init.args, expected)
    })
  }

  it('S10, S35, P20: init of a single-scope plugin, its cwd and its environment', async () => {
    plugins.addPython('jp-foo', {command: ['foo']}, mirror)
    const config = ['-c', 'plugins.command.foo.options.port:=80', '-c', 'assistant.name=Ada']
    const dirty = {
      NODE_OPTIONS: '--no-warnings',
      NODE_PATH: '/x',
      npm_config_foo: 'x',
      OCLIF_X: 'x',
      DYLD_LIBRARY_PATH: '/x',
      KEPT: 'yes',
    }
    const run = await jp([...allowing('foo'), ...config, '-vv', 'foo'], {env: dirty, cwd: scratch.folder('work/sub')})
    assert.equal(run.code, 0, run.stderr)
    const {init, env, cwd} = JSON.parse(run.stdout)
    const {config: resolved, ...rest} = init
    assert.equal(resolved.assistant.name, 'Ada')
    assert.deepEqual(rest, {
      type: 'init',
      version: hostProtocol,
      workspace: {root, storage: join(root, '.jp'), id: 'abcde'},
      paths: {
        user_data: scratch.data,
        user_config: join(scratch.home, '.config', 'jp'),
        user_workspace: join(scratch.data, 'workspace', 'work-abcde'),
      },
      options: {port: 80},
      args: [],
      log_level: 2,
      output_format: 'text',
    })
    assert.equal(cwd, join(root, 'sub'))
    const dropped = Object.keys(env).filter((name) => /^(NODE_|npm_|OCLIF_|LD_PRELOAD|DYLD_|JP_LAUNCHER)/.test(name))
    assert.deepEqual(dropped, [])
    assert.deepEqual([env.KEPT, env.JP_PLUGIN_PATH], ['yes', join(plugins.path, 'jp-foo')])
  })

  it('S9, W11: with -w a single-scope plugin runs in the chosen root', async () => {
    plugins.addPython('jp-foo', {command: ['foo']}, mirror)
    const run = await jp(['-w', root, ...allowing('foo'), 'foo'], {cwd: scratch.folder('elsewhere')})
    const {init, env, cwd} = JSON.parse(run.stdout)
    assert.deepEqual([cwd, env.PWD, init.workspace.root], [root, root, root])
  })

  it('P22: the exit code of jp is the plugin’s, and a reason is printed as an error', async () => {
    plugins.addShell('jp-foo', {command: ['foo']}, `${say}say '{"type":"exit","code":42,"reason":"no\\u001b[31m way"}'`)
    assert.deepEqual(await jp([...allowing('foo'), 'foo']), {code: 42, stdout: '', stderr: 'Error: no way\n'})
  })

  const prints = [
    '{"type":"print","text":"a"}',
    '{"type":"print","text":"b\\n","channel":"content","format":"markdown"}',
    '{"type":"print","text":"c","channel":"chrome"}',
    '{"type":"print","text":"d\\n","channel":"tool_call"}',
    '{"type":"print","text":"e\\n","channel":"error"}',
    '{"type":"print","text":"f\\n","channel":"whatever","format":"odd"}',
    '{"type":"print","text":"{\\"k\\": [1]}","format":"json"}',
    '{"type":"exit","code":0}',
  ]
  const printing = (): void =>
    void plugins.addShell('jp-foo', {command: ['foo']}, `${say}${prints.map((line) => `say '${line}'`).join('\n')}`)

  it('P21: print goes out by channel, as it is, with no line feed added', async () => {
    printing()
    assert.deepEqual(await jp([...allowing('foo'), 'foo']), {code: 0, stdout: 'ab\nf\n{"k": [1]}', stderr: 'cd\ne\n'})
  })

  it('P21: --quiet silences what is neither content nor an error', async () => {
    printing()
    assert.deepEqual(await jp([...allowing('foo'), '-q', 'foo']), {code: 0, stdout: 'ab\nf\n{"k": [1]}', stderr: 'e\n'})
  })

  it('P21, Q3: in JSON each print is one value', async () => {
    printing()
    const run = await jp([...allowing('foo'), '--format', 'json', 'foo'])
    const stdout = '{"message":"a"}\n{"message":"b\\n"}\n{"message":"f\\n"}\n{"k":[1]}\n'
    assert.deepEqual(run, {code: 0, stdout, stderr: '{"message":"c"}\n{"message":"d\\n"}\n{"message":"e\\n"}\n'})
  })

  it('P21: stderr and log go to the trace, never to the terminal', async () => {
    const log = '{"type":"log","level":"warn","message":"careful","fields":{"level":"x"}}'
    plugins.addShell(
      'jp-foo',
      {command: ['foo']},
      `${say}echo from-stderr >&2\nsay '${log}'\nsay '{"type":"exit","code":0}'`,
    )
    const trace = join(scratch.path, 'trace')
    assert.deepEqual(await jp([...allowing('foo'), '-vvvv', '--log-file', trace, 'foo']), {
      code: 0,
      stdout: '',
      stderr: '',
    })
    const entries = readFileSync(trace, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const told = entries.map(({target, level, message}) => [target, level, message].join(' '))
    assert.ok(told.includes('plugin::stderr trace from-stderr'), told.join('\n'))
    assert.ok(told.includes('plugin warn careful'), told.join('\n'))
  })

  it('FR-54: a reader of stdout that is gone ends the plugin too, quietly', async () => {
    const flood = 'while :; do say "{\\"type\\":\\"print\\",\\"text\\":\\"$(printf %01000d 7)\\\\n\\"}" || exit; done'
    plugins.addShell('jp-foo', {command: ['foo']}, say + flood)
    const command = `"${process.execPath}" "${launcher}" ${allowing('foo').join(' ')} foo | head -c 100 >/dev/null; echo "\${PIPESTATUS[0]}"`
    const child = spawn('bash', ['-c', command], {cwd: root, env: plugins.env, stdio: ['ignore', 'pipe', 'pipe']})
    const out: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => out.push(bytes))
    await once(child, 'close')
    assert.equal(Buffer.concat(out).toString(), '0\n')
  })

  /** Sends a signal when the plugin is ready, and another one when it has heard of the first. */
  const interrupted = async (body: string, signals: readonly NodeJS.Signals[], flags: readonly string[] = []) => {
    const [ready, heard] = [join(scratch.path, 'ready'), join(scratch.path, 'heard')]
    rmSync(ready, {force: true})
    const places = `ready, heard = ${JSON.stringify(ready)}, ${JSON.stringify(heard)}`
    plugins.addPython('jp-foo', {command: ['foo']}, `${places}\nsys.stdin.readline()\n${body}`)
    const child = spawn(process.execPath, [launcher, ...allowing('foo'), ...flags, 'foo'], {
      cwd: root,
      env: plugins.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const out: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => out.push(bytes))
    await until(() => existsSync(ready), 'the plugin to be ready')
    const started = performance.now()
    const ended = once(child, 'close')
    const [first, second] = signals
    child.kill(first)
    if (second !== undefined) {
      await until(() => existsSync(heard), 'the plugin to hear of the first signal')
      // Two of one kind within 30 ms are one press of a key: this delay is the case.
      await new Promise((resolve) => setTimeout(resolve, 50))
      child.kill(second)
    }
    const [code, signal] = await ended
    return {code: code ?? signal, text: Buffer.concat(out).toString(), tookMs: performance.now() - started}
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`P20: ${signal} becomes "shutdown"; a plugin that ends in order gives its code`, async () => {
      const body =
        'open(ready, "w")\nassert json.loads(sys.stdin.readline()) == {"type": "shutdown"}\nprint(json.dumps({"type": "exit", "code": 9}))'
      assert.equal((await interrupted(body, [signal])).code, 9)
    })
  }

  it('P19, P20, FR-35: one that ignores "shutdown" and SIGTERM is killed with its helpers after the grace, and their port is free', async () => {
    const port = join(scratch.path, 'port')
    const helper =
      'import socket,sys,signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); s=socket.create_server(("127.0.0.1",0)); print(s.getsockname()[1],flush=True); signal.pause()'
    const body = `
for name in (signal.SIGTERM, signal.SIGINT): signal.signal(name, signal.SIG_IGN)
helper = subprocess.Popen([sys.executable, "-c", ${JSON.stringify(helper)}], stdout=subprocess.PIPE)
open(${JSON.stringify(port)}, "w").write(helper.stdout.readline().decode())
open(ready, "w")
while True: time.sleep(1)`
    const end = await interrupted(body, ['SIGINT'], ['-c', 'plugins.shutdown_timeout_secs:=1'])
    assert.equal(end.code, 130)
    assert.ok(end.tookMs > 900, `${end.tookMs} ms`)
    await untilNoSurvivors(scratch.path)
    const again = createServer().listen(Number(readFileSync(port, 'utf8')), '127.0.0.1')
    await once(again, 'listening')
    again.close()
  })

  it('P20: a second Ctrl-C does not wait for the grace; SIGQUIT is 131', async () => {
    const body =
      'signal.signal(signal.SIGTERM, signal.SIG_IGN)\nopen(ready, "w")\nsys.stdin.readline()\nopen(heard, "w")\nwhile True: time.sleep(1)'
    const twice = await interrupted(body, ['SIGINT', 'SIGINT'], ['-c', 'plugins.shutdown_timeout_secs:=1000'])
    assert.equal(twice.code, 130)
    assert.equal((await interrupted(body, ['SIGQUIT'])).code, 131)
  })

  it('FR-35, Q28: after kill -9 of jp a plugin that reads its stdin ends by itself', async () => {
    const body = 'open(ready, "w")\nwhile sys.stdin.readline(): pass'
    await interrupted(body, ['SIGKILL'])
    await untilNoSurvivors(scratch.path)
  })

  it('P30: a plugin runs from a private copy of the same base name; the original is in JP_PLUGIN_PATH', async () => {
    plugins.addShell(
      'jp-foo',
      {command: ['foo']},
      `${say}say "{\\"type\\":\\"print\\",\\"text\\":\\"$0 $JP_PLUGIN_PATH\\"}"\nsay '{"type":"exit","code":0}'`,
    )
    const [copy = '', original] = (await jp([...allowing('foo'), 'foo'])).stdout.split(' ')
    assert.match(copy, /\/\.cache\/jp\/plugins\/bin\/[0-9a-f]{64}\/jp-foo$/)
    assert.equal(original, realpathSync(join(plugins.path, 'jp-foo')))
  })
})
