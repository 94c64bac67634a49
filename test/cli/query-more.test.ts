import assert from 'node:assert/strict'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, type Run, runJp} from '../support/jp.js'
import {startOnTerminal, type TerminalRun} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('jp query: writing, forking, waiting', () => {
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

  const env = (more: Readonly<Record<string, string>> = {}) => ({...scratch.env, JP_SESSION: 'tab', ...more})
  const query = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Run> =>
    runJp(['query', ...args], {cwd: root, env: env(more)})
  const onTerminal = (args: readonly string[], more: Readonly<Record<string, string>> = {}): TerminalRun => {
    const run = startOnTerminal(['query', ...args], {cwd: root, env: env(more)})
    runs.push(run)
    return run
  }
  /** An editor that does something with the file, `$1`, and leaves a copy of what it found. */
  const editor = (does: string): string => {
    scratch.write('edit.sh', `cp "$1" ${scratch.path}/seen.md\n${does}\n`)
    return `sh ${scratch.path}/edit.sh`
  }
  const folder = (): string => join(root, '.jp', 'conversations')
  const conversations = (): string[] =>
    readdirSync(folder())
      .filter((name) => /^\d/.test(name))
      .sort()
  const words = (name: string): string[] =>
    (
      JSON.parse(readFileSync(join(folder(), name, 'events.json'), 'utf8')) as {content?: string; message?: string}[]
    ).flatMap(({content, message}) => content ?? message ?? [])
  const silo = (): string => join(scratch.data, 'workspace', 'app-abcde', 'conversations')

  it('W23: --edit writes the message in the editor; what stands below the marker is not sent', async () => {
    await query(['-n', 'an earlier question'])
    const run = onTerminal(['--edit', 'given'], {EDITOR: editor('sed -i "1s/.*/# A plan\\n\\nwritten/" "$1"')})
    assert.equal(await run.exited, 0)
    const seen = readFileSync(join(scratch.path, 'seen.md'), 'utf8')
    assert.match(seen, /^given\n\n-{39}8<-{39}\n-{21} EVERYTHING BELOW THIS LINE IS IGNORED -{20}\n-{39}>8-{39}\n/)
    assert.match(seen, /<!-- CONVERSATION_MARKER -->\n\n## You\n\nan earlier question\n/)
    assert.deepEqual(words(conversations()[0] ?? '').slice(2), ['# A plan\n\nwritten', '# A plan\n\nwritten'])
  })

  it('W28: a heading that was written is the title of a new conversation', async () => {
    const run = onTerminal(['-n'], {EDITOR: editor('printf "# The plan\\n\\nmore" > "$1"')})
    assert.equal(await run.exited, 0)
    assert.match(conversations()[0] ?? '', /-the-plan$/)
  })

  it('W22, facts 2.11: a draft outlives a turn that failed, is offered again, and goes with one that was done', async () => {
    await query(['-n', 'x'])
    const steps = scratch.write('steps.json', JSON.stringify([{error: 'refused'}]))
    const failed = onTerminal(['--edit'], {EDITOR: editor('printf "my draft" > "$1"'), JP_ECHO_SCRIPT: steps})
    assert.equal(await failed.exited, 6)
    const draft = (): string[] =>
      readdirSync(join(silo(), conversations()[0] ?? '')).filter((name) => name.endsWith('.md'))
    assert.deepEqual(draft(), ['QUERY_MESSAGE.md'])
    const again = onTerminal(['--edit'], {EDITOR: editor('true')})
    assert.equal(await again.exited, 0)
    assert.match(readFileSync(join(scratch.path, 'seen.md'), 'utf8'), /^my draft\n/)
    assert.deepEqual(draft(), [])
  })

  it('facts 8.3: an empty message from the editor is ignored, and nothing is made', async () => {
    const run = onTerminal(['-n', '--edit'], {EDITOR: editor('true')})
    assert.equal(await run.exited, 0)
    assert.match(run.received, /The message is empty; nothing was sent\./)
    assert.deepEqual(readdirSync(join(root, '.jp')), ['.id', 'config.toml'])
  })

  it('W9: the message is written at the terminal also when stdin and stdout are pipes', async () => {
    const run = startOnTerminal(
      [
        `echo notes | '${process.execPath}' '${launcher}' -w ${root} query -n --edit | tr a-z A-Z > ${scratch.path}/out`,
      ],
      {cwd: scratch.path, env: env({EDITOR: editor('sed -i "1s/.*/edited/" "$1"')}), shell: true},
    )
    runs.push(run)
    assert.equal(await run.exited, 0)
    assert.match(readFileSync(join(scratch.path, 'seen.md'), 'utf8'), /^notes\n/)
    assert.equal(readFileSync(join(scratch.path, 'out'), 'utf8'), 'EDITED\n')
  })

  it('W23: --fork goes on in a copy; the original stays', async () => {
    await query(['-n', 'one'])
    await query(['two'])
    const forked = await query(['--fork', 'three'])
    assert.deepEqual([forked.stdout, forked.code], ['three\n', 0])
    const [original = '', copy = ''] = conversations()
    assert.equal(forked.stderr, `Forked jp-c${original.slice(0, 11)}: this is jp-c${copy.slice(0, 11)}.\n`)
    assert.deepEqual(words(original), ['one', 'one', 'two', 'two'])
    assert.deepEqual(words(copy), ['one', 'one', 'two', 'two', 'three', 'three'])
    await query(['--fork=1', 'four'])
    assert.deepEqual(words(conversations()[2] ?? ''), ['three', 'three', 'four', 'four'])
  })

  it('W19, FR-24: a second turn waits for the first, says so, and ends with 4 when the time is over', async () => {
    await query(['-n', 'one'])
    const isOver = join(scratch.path, 'over')
    const command = `sh -c 'until [ -e ${isOver} ]; do sleep 0.05; done'`
    scratch.write(
      'home/.config/jp/config.toml',
      `[conversation.tools.wait]\nsource = "local"\nrun = "unattended"\ncommand = ${JSON.stringify(command)}\n`,
    )
    const call = {tool_call: {name: 'wait', arguments: {}}}
    const steps = scratch.write('steps.json', JSON.stringify([{text: 'slow words '}, call, {text: 'slow end'}]))
    const first = onTerminal(['--non-interactive', 'first'], {JP_ECHO_SCRIPT: steps})
    await first.waitFor('slow words')
    const second = await query(['second'], {JP_LOCK_DURATION: '200ms'})
    assert.equal(second.code, 4)
    assert.match(second.stderr, /^Error: Conversation jp-c\d+ is in use by process \d+/)
    const third = await runJp(['query', 'third'], {
      cwd: root,
      env: env({JP_LOCK_DURATION: '60s'}),
      onStderr: (text) => text.includes('Waiting for it …') && scratch.write('over', ''),
    })
    assert.deepEqual([third.stdout, third.code], ['third\n', 0])
    assert.match(third.stderr, /Waiting for it …/)
    assert.equal(await first.exited, 0)
    assert.deepEqual(
      words(conversations()[0] ?? '').filter((word) => word !== '' && !word.startsWith('slow')),
      ['one', 'one', 'first', 'third', 'third'],
    )
  })

  it('W19: on a terminal a wait that is over asks; a fork goes on at once', async () => {
    await query(['-n', 'one'])
    const steps = scratch.write('steps.json', JSON.stringify([{text: 'slow {n} ', repeat: 10_000, delay_ms: 20}]))
    const first = onTerminal(['--non-interactive', 'first'], {JP_ECHO_SCRIPT: steps})
    await first.waitFor('slow 2')
    const second = onTerminal(['second'], {JP_LOCK_DURATION: '0'})
    await second.waitFor('Cancel')
    second.type('f')
    assert.equal(await second.exited, 0)
    const third = onTerminal(['third'], {JP_LOCK_DURATION: '0', JP_SESSION: 'other'})
    assert.equal(await third.exited, 0)
  })

  it('W29: on a terminal Markdown is drawn as it arrives; a pipe gets the words as they came', async () => {
    const text = '# Title\n\n- **one**\n- two\n\n```js\nlet x = 1\n```\n'
    const steps = scratch.write('steps.json', JSON.stringify([{text, chunk: 3}]))
    const run = onTerminal(['-n', 'x'], {JP_ECHO_SCRIPT: steps})
    assert.equal(await run.exited, 0)
    assert.match(
      run.received,
      /\u001b\[1m# Title\u001b\[22m\r\n\r\n• \u001b\[1mone\u001b\[22m\r\n• two\r\n\r\n {4}\u001b\[35mlet/,
    )
    assert.match(run.received, /tokens: \d+ in, \d+ out/)
    assert.equal((await query(['-n', 'x'], {JP_ECHO_SCRIPT: steps})).stdout, text)
    const plain = onTerminal(['-n', '--no-color', 'x'], {JP_ECHO_SCRIPT: steps})
    assert.equal(await plain.exited, 0)
    assert.doesNotMatch(plain.received, /\u001b\[[0-9]/)
  })

  it('S33: an MCP server is started for a tool that is on, and for nothing else', async () => {
    const server = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
    scratch.write(
      'home/.config/jp/config.toml',
      `[providers.mcp.all]\ncommand = "${process.execPath}"\narguments = ["${server}", "stdio"]\n` +
        '[conversation.tools.echo]\nsource = "mcp.all"\nrun = "unattended"\n' +
        '[conversation.tools.nope]\nsource = "mcp.all"\nrun = "unattended"\n',
    )
    const steps = JSON.stringify([{tool_call: {name: 'echo', arguments: {message: 'over there'}}}, {text: 'Done.'}])
    const run = await query(['-n', 'x'], {JP_ECHO_SCRIPT: scratch.write('steps.json', steps)})
    assert.deepEqual([run.stdout, run.code], ['Done.\n', 0], run.stderr)
    assert.match(run.stderr, /^Starting all …\n/)
    assert.match(run.stderr, /The MCP server all has no tool "nope", so nope is left out\./)
    const file = join(folder(), conversations()[0] ?? '', 'events.json')
    const events = JSON.parse(readFileSync(file, 'utf8')) as {type: string; content?: string}[]
    const result = events.find(({type}) => type === 'tool_call_response')?.content ?? ''
    assert.equal(Buffer.from(result, 'base64').toString(), 'Echo: over there')
    const none = await query(['-n', '--no-tools', 'x'])
    assert.deepEqual([none.stdout, none.stderr], ['x\n', ''])
  })
})
