import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, type Run, repository, runJp} from '../support/jp.js'
import {startModelServer} from '../support/model-server.js'
import {isRunning, until} from '../support/processes.js'
import {startOnTerminal, type TerminalRun} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const tiny = join(repository, 'test/fixtures/mcp/server.mjs')
const everything = join(repository, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')

describe('jp query with MCP servers', () => {
  let scratch: Scratch
  let root: string
  let runs: TerminalRun[] = []

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
  })
  afterEach(() => {
    for (const run of runs) run.kill()
    runs = []
    scratch.remove()
  })

  const server = (script: string, ...args: readonly string[]): string =>
    `command = ${JSON.stringify(process.execPath)}\narguments = ${JSON.stringify([script, ...args])}\n`
  const configure = (text: string): void => void scratch.write('home/.config/jp/config.toml', text)
  const call = (name: string, args: unknown) => ({tool_call: {name, arguments: args}})
  const env = (...steps: readonly unknown[]) => ({
    ...scratch.env,
    JP_SESSION: 'tab',
    JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(steps)),
  })
  const query = (steps: readonly unknown[], ...args: readonly string[]): Promise<Run> =>
    runJp(['query', '-n', ...args, 'go'], {cwd: root, env: env(...steps), timeoutMs: 90_000})
  const results = (): string[] => {
    const folder = join(root, '.jp', 'conversations')
    const [name = ''] = readdirSync(folder)
      .filter((entry) => /^\d/.test(entry))
      .sort()
      .reverse()
    const events = JSON.parse(readFileSync(join(folder, name, 'events.json'), 'utf8')) as {
      type: string
      content?: string
    }[]
    return events
      .filter(({type}) => type === 'tool_call_response')
      .map(({content = ''}) => Buffer.from(content, 'base64').toString())
  }
  const pidsIn = (file: string): number[] =>
    existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map(Number) : []

  it('W26, S33: a tool of server-everything is asked for, run and delivered; it ends with the turn', async () => {
    configure(
      `[providers.mcp.all]\n${server(everything, 'stdio')}[conversation.tools.echo]\nsource = "mcp.all"\n[conversation.tools.sum]\nsource = "mcp.all.get-sum"\nrun = "unattended"\n`,
    )
    const run = startOnTerminal(['query', '-n', 'go'], {
      cwd: root,
      env: env(call('echo', {message: 'hé 漢 🟢'}), call('sum', {a: 2, b: 40}), {text: 'Done.'}),
    })
    runs.push(run)
    await run.waitFor('Run the tool echo?')
    assert.match(run.received, /"message": "hé 漢 🟢"/)
    await run.waitFor('No, and say why')
    run.type('y')
    assert.equal(await run.exited, 0)
    const [echoed, sum] = results()
    assert.equal(echoed, 'Echo: hé 漢 🟢')
    assert.match(sum ?? '', /\b42\b/)
  })

  it('S33: no server starts for a turn in which none of its tools is on', async () => {
    const pids = join(scratch.path, 'pids')
    configure(
      `[providers.mcp.tiny]\n${server(tiny, `pids=${pids}`)}[conversation.tools.say]\nsource = "mcp.tiny"\nenable = false\n`,
    )
    assert.equal((await query([{text: 'Done.'}])).code, 0)
    assert.deepEqual(pidsIn(pids), [])
    assert.equal((await query([call('say', {text: 'x'}), {text: 'Done.'}], '--tool', 'say')).code, 5)
    assert.equal(pidsIn(pids).length, 1)
    await until(() => !pidsIn(pids).some(isRunning), 'the server to end')
  })

  it('W26: a call that runs longer than timeout_secs is cancelled and told, and the server is there for the next one', async () => {
    const seen = join(scratch.path, 'seen')
    configure(
      `[providers.mcp.tiny]\n${server(tiny, 'hanging', `seen=${seen}`)}[conversation.tools.'*']\nrun = "unattended"\n` +
        '[conversation.tools.hang]\nsource = "mcp.tiny"\ntimeout_secs = 1\n[conversation.tools.say]\nsource = "mcp.tiny"\n',
    )
    const run = await query([call('hang', {}), call('say', {text: 'on'}), {text: 'Done.'}])
    assert.deepEqual([run.stdout, run.code], ['Done.\n', 0], run.stderr)
    assert.deepEqual(results(), ['The tool ran longer than 1 s; its call was cancelled.', 'on'])
    assert.match(readFileSync(seen, 'utf8'), /notifications\/cancelled/)
  })

  it('W34: resources of an MCP server are attached, text as text; what it does not have is an error that names it', async () => {
    const model = await startModelServer()
    model.plays({says: {text: ['Seen.']}})
    configure(
      `[providers.mcp.all]\n${server(everything, 'stdio')}[providers.llm.spy]\ntype = "openai-compatible"\nbase_url = "${model.url}"\n`,
    )
    const attached = ['text/1', 'blob/2'].flatMap((path) => ['-a', `mcp+all:demo://resource/dynamic/${path}`])
    const run = await query([], '-m', 'spy/model', '--title', 'x', ...attached)
    await model.close()
    assert.deepEqual([run.stdout, run.code], ['Seen.\n', 0], run.stderr)
    const [request] = model.seen
    assert.match(JSON.stringify(request?.body), /demo:\/\/resource\/dynamic\/text\/1[^]*Resource 1[^]*go/)
    const missing = await query([], '-a', 'mcp+all:demo://none')
    assert.deepEqual([missing.stdout, missing.code], ['', 3])
    assert.match(
      missing.stderr,
      /Error: Can't attach mcp\+all:demo:\/\/none: MCP server "all" refused the resource demo:\/\/none: /,
    )
    const nobody = await query([], '-a', 'mcp+nobody:demo://x')
    assert.deepEqual(
      [nobody.stderr.split('\n')[0], nobody.code],
      ['Error: Can\'t attach mcp+nobody:demo://x: there is no MCP server "nobody".', 3],
    )
    scratch.write(
      'app/.jp/config.toml',
      `[assistant.model]\nid = "echo/echo"\n[conversation]\nattachments = ["mcp+all:demo://none"]\n`,
    )
    const stored = await runJp(['query', '-n', 'go'], {cwd: root, env: {...env(), JP_TRUST_WORKSPACE: '1'}})
    assert.deepEqual([stored.stdout, stored.code], ['go\n', 0])
    assert.match(stored.stderr, /Warning: Can't attach mcp\+all:demo:\/\/none: /)
  })

  it('FR-26: half a character, at every cap and from every kind of tool, is neither stored nor sent, and the turn goes on', async () => {
    const model = await startModelServer()
    const [pad, half] = [
      scratch.write('pad.mjs', "process.stdout.write('x'.repeat(Number(process.argv[2])) + '🟢'.repeat(40_000))"),
      scratch.write('half.mjs', 'process.stdout.write(JSON.stringify({type: "success", content: "half \\ud83d"}))'),
    ]
    const local = (name: string, command: string): string =>
      `[conversation.tools.${name}]\nsource = "local"\nrun = "unattended"\ncommand = "node ${command}"\n`
    configure(
      `[providers.llm.spy]\ntype = "openai-compatible"\nbase_url = "${model.url}"\n[providers.mcp.tiny]\n${server(tiny, 'half')}` +
        `[conversation.tools.say]\nsource = "mcp.tiny"\nrun = "unattended"\n${local('half', half)}${local('pad', `${pad} {{tool.arguments.n}}`)}` +
        '[conversation.tools.pad.parameters.n]\ntype = "integer"\n',
    )
    // What is kept of the beginning of an output ends here.
    const cap = 192 * 1024
    const calls = [-2, -1, 0, 1, 2].map((by) => ({id: `p${by}`, name: 'pad', arguments: {n: cap + by - 1}}))
    const others = ['say', 'half'].map((name) => ({id: name, name, arguments: name === 'say' ? {text: 'x'} : {}}))
    model.plays({says: {calls: [...calls, ...others]}}, {says: {text: ['Done.']}})
    const title = `${'t'.repeat(79)}🟢 and on`
    const run = await runJp(['query', '-n', '-m', 'spy/model', '--title', title, 'go \ud83d'], {
      cwd: root,
      env: env(),
      timeoutMs: 90_000,
    })
    const again = await runJp(['query', 'on'], {cwd: root, env: env(), timeoutMs: 90_000})
    await model.close()
    assert.deepEqual([run.stdout, again.stdout], ['Done.\n', 'Done.\n'], run.stderr + again.stderr)
    for (const {body} of model.seen) assert.doesNotMatch(JSON.stringify(body), /\\ud[89a-f]/)
    const given = results()
    assert.equal(given.length, 7)
    for (const result of given.slice(0, 5)) assert.match(result, /[x🟢]\n\[… \d+ bytes left out …\]\n🟢/u)
    assert.deepEqual(given.slice(5), ['half \ufffd', 'half \ufffd'])
  })

  it('FR-31: a server that exits at once ends the turn with 7 and its last words, an optional one is left out, one that dies in a call is a result', async () => {
    const config = (more: string, ...args: readonly string[]): void =>
      configure(
        `[providers.mcp.tiny]\n${server(tiny, ...args)}${more}[conversation.tools.'*']\nrun = "unattended"\n` +
          '[conversation.tools.say]\nsource = "mcp.tiny"\n[conversation.tools.die]\nsource = "mcp.tiny"\n',
      )
    config('', 'stderr', 'exit=1')
    const failed = await query([{text: 'never'}])
    assert.deepEqual([failed.stdout, failed.code], ['', 7])
    assert.match(
      failed.stderr,
      /Error: MCP server "tiny" exited with code 1 before it answered\. It wrote:\n[^]*line 150/,
    )
    assert.doesNotMatch(failed.stderr, /\n {4}at |UnhandledPromise/)
    config('optional = true\n', 'exit=1')
    const without = await query([{text: 'Done.'}])
    assert.deepEqual([without.stdout, without.code], ['Done.\n', 0])
    assert.match(without.stderr, /Warning: The MCP server tiny was left out: /)
    config('', 'dying')
    const died = await query([call('die', {}), {text: 'Done.'}])
    assert.deepEqual([died.stdout, died.code], ['Done.\n', 0], died.stderr)
    assert.match(results()[0] ?? '', /exited with code 3 before it answered the tool die\. It wrote:\ndying words/)
  })

  it('FR-29, Q28: after kill -9 of jp a server that hears the end of its stdin is gone, and the next run ends a deaf one and the child of a wrapper', async () => {
    const pids = join(scratch.path, 'pids')
    configure(
      `[providers.mcp.polite]\n${server(tiny, `pids=${pids}`)}[providers.mcp.deaf]\n${server(tiny, 'deaf', `pids=${pids}`)}` +
        `[providers.mcp.wrapper]\n${server(tiny, 'grandchild', `pids=${pids}`)}` +
        '[conversation.tools.say_too]\nsource = "mcp.wrapper.say"\n' +
        '[conversation.tools.say]\nsource = "mcp.polite"\n[conversation.tools.hang]\nsource = "mcp.deaf"\nrun = "unattended"\n',
    )
    const child = spawn(process.execPath, [launcher, 'query', '-n', 'go'], {
      cwd: root,
      env: env({text: 'words '}, {text: 'slow {n} ', repeat: 10_000, delay_ms: 20}),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    await once(child.stdout, 'data')
    assert.equal(pidsIn(pids).filter(isRunning).length, 4)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await until(() => pidsIn(pids).filter(isRunning).length === 2, 'the polite server and the wrapper to end')
    configure('')
    const next = await query([{text: 'Done.'}])
    assert.equal(next.stdout, 'Done.\n')
    assert.deepEqual(next.stderr.replaceAll(/\d+/g, 'N').trimEnd().split('\n').sort(), [
      'Warning: The MCP server "deaf" (pid N) had outlived a jp that was killed; it was ended.',
      'Warning: The MCP server "wrapper" (pid N) had outlived a jp that was killed; it was ended.',
    ])
    await until(() => pidsIn(pids).filter(isRunning).length === 0, 'all of them to end')
    assert.equal((await query([{text: 'Done.'}])).stderr, '')
    assert.deepEqual(readdirSync(join(scratch.home, '.local/state/jp/mcp')), [])
  })
})
