import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {chmodSync, existsSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, type Run, runJp} from '../support/jp.js'
import {isRunning, until} from '../support/processes.js'
import {startOnTerminal, type TerminalRun} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

type Stored = {
  readonly type: string
  readonly timestamp?: string
  readonly content?: string
  readonly is_error?: boolean
  readonly message?: string
}

describe('jp query with tools', () => {
  let scratch: Scratch
  let root: string

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
  })
  let runs: TerminalRun[] = []
  afterEach(() => {
    for (const run of runs) run.kill()
    runs = []
    scratch.remove()
  })

  const env = (more: Readonly<Record<string, string>> = {}) => ({...scratch.env, JP_SESSION: 'tab', ...more})
  const script = (...steps: readonly unknown[]): Record<string, string> =>
    env({JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(steps))})
  const call = (name: string, args: unknown) => ({tool_call: {name, arguments: args}})
  const query = (steps: readonly unknown[], ...args: readonly string[]): Promise<Run> =>
    runJp(['query', '-n', ...args, 'go'], {cwd: root, env: script(...steps), timeoutMs: 90_000})
  const onTerminal = (steps: readonly unknown[], ...args: readonly string[]): TerminalRun => {
    const run = startOnTerminal(['query', ...args, 'go'], {cwd: root, env: script(...steps)})
    runs.push(run)
    return run
  }
  /** A user's own tool: what the user-global configuration says needs no trust. */
  const tool = (name: string, settings: string): void => {
    scratch.write(
      'home/.config/jp/config.toml',
      `[conversation.tools.${name}]\nsource = "local"\nrun = "unattended"\n${settings}\n`,
    )
  }
  const beginsAndSleeps = `command = {program = "sh", args = ["-c", "touch began; exec sleep 60"]}`
  const exists = async (name: string): Promise<void> => {
    await until(() => existsSync(join(root, name)), name)
  }
  const stored = (): Stored[] => {
    const folder = join(root, '.jp', 'conversations')
    const [name = ''] = readdirSync(folder)
      .filter((entry) => /^\d/.test(entry))
      .sort()
      .reverse()
    return JSON.parse(readFileSync(join(folder, name, 'events.json'), 'utf8')) as Stored[]
  }
  const results = (): string[] =>
    stored()
      .filter(({type}) => type === 'tool_call_response')
      .map(({content = ''}) => Buffer.from(content, 'base64').toString())

  it('W26, facts 9.5: a local tool gets its arguments as they are, without a shell, in the root', async () => {
    tool(
      'show',
      `command = "node -e 'console.log(JSON.stringify(process.argv.slice(1)), process.cwd())' -- {{tool.arguments.text}} {{tool}}"\n[conversation.tools.show.parameters.text]\ntype = "string"\nrequired = true`,
    )
    const text = `a b $(touch hacked) '; "\n{{tool}}`
    const run = await query([call('show', {text}), {text: 'Done.'}])
    assert.deepEqual([run.stdout, run.code], ['Done.\n', 0])
    const [first = '', cwd] = (results()[0] ?? '').trimEnd().split(/ (?=\/)/)
    const [plain, json = ''] = JSON.parse(first) as string[]
    assert.equal(plain, text)
    assert.deepEqual(JSON.parse(json), {name: 'show', arguments: {text}, answers: {}, options: {}})
    assert.equal(cwd, root)
    assert.ok(!existsSync(join(root, 'hacked')))
  })

  it('W26: wrong arguments and unknown tools are told to the model, and the turn goes on', async () => {
    tool('show', 'command = "true"\n[conversation.tools.show.parameters.depth]\ntype = "integer"')
    const run = await query([call('show', {depth: 'x'}), call('nope', {}), call('show', '{broken'), {text: 'I see.'}])
    assert.deepEqual([run.stdout, run.code], ['I see.\n', 0])
    assert.equal(results()[0], 'The argument "depth" must be integer, not string.')
    assert.equal(results()[1], 'There is no tool "nope".')
    assert.match(results()[2] ?? '', /^The arguments are not JSON: /)
  })

  it('W26: where nobody can be asked a call is denied, told, listed, and the exit code is 5', async () => {
    scratch.write('app/n.txt', 'words')
    const steps = [call('read_file', {path: 'n.txt'}), {text: 'Then not.'}]
    const run = await query(steps, '--tool', 'read_file')
    assert.deepEqual([run.stdout, run.code], ['Then not.\n', 5])
    assert.match(run.stderr, /Error: 1 tool call was denied:\nread_file: nobody could be asked\n/)
    assert.match(results()[0] ?? '', /^This call was denied: nobody could be asked\./)
    assert.equal((await query(steps, '--tool', 'read_file', '--allow-denied')).code, 0)
    const json = await query(steps, '--tool', 'read_file', '-F', 'json')
    const last = JSON.parse(json.stdout.trimEnd().split('\n').at(-1) ?? '') as {denied: unknown}
    assert.deepEqual(last.denied, [{id: 'call_1', name: 'read_file', reason: 'nobody could be asked'}])
    assert.equal(json.code, 5)
    const detached = await query(steps, '--tool', 'read_file', '-c', 'conversation.tools.read_file.detached=unattended')
    assert.equal(detached.code, 0)
    assert.deepEqual(results(), ['words'])
  })

  it('W26: the policy deny runs nothing, on a terminal too', async () => {
    tool('mark', 'command = "touch marked"\nresult = "unattended"')
    const run = onTerminal([call('mark', {}), {text: 'Fine.'}], '-n', '-c', 'conversation.tools.mark.run=deny')
    assert.equal(await run.exited, 5)
    assert.ok(!existsSync(join(root, 'marked')))
  })

  it('W26, FR-28: a terminal is asked what exactly will run; a yes for ever covers that command alone', async () => {
    const echo = [call('run_command', {command: 'touch one'}), {text: 'Done.'}]
    const first = onTerminal(echo, '-n', '--tool', 'run_command')
    await first.waitFor('touch one')
    await first.waitFor('always')
    first.type('a')
    assert.equal(await first.exited, 0)
    assert.ok(existsSync(join(root, 'one')))
    const again = onTerminal(echo, '-n', '--tool', 'run_command')
    assert.equal(await again.exited, 0)
    assert.doesNotMatch(again.received, /Run the tool/)
    for (const line of ['touch one && touch two', 'touch one two', 'touch one; touch two', 'X=1 touch one']) {
      const other = onTerminal([call('run_command', {command: line}), {text: 'Done.'}], '-n', '--tool', 'run_command')
      await other.waitFor('No, and say why')
      other.type('n')
      assert.equal(await other.exited, 5, line)
    }
    assert.ok(!existsSync(join(root, 'two')))
  })

  it('W31: the question spells out what would hide in a terminal', async () => {
    const run = onTerminal(
      [call('run_command', {command: 'echo \u202eevil\u001b[2K\u200b'}), {text: '.'}],
      '-n',
      '--tool',
      'run_command',
    )
    await run.waitFor('echo <U+202E>evil<U+001B>[2K<U+200B>')
    await run.waitFor('No, and say why')
    run.type('n')
    await run.exited
  })

  it('W26, facts 9.5: a question of a tool is answered by the user, or in advance by the configuration', async () => {
    const ask = `case "$1" in *'"answers":{"sure":true}'*) echo yes it is;; *) echo '{"type":"needs_input","question":{"id":"sure","text":"Really sure?","answer_type":"Boolean"}}';; esac`
    const settings = `command = {program = "sh", args = ["-c", ${JSON.stringify(ask)}, "sh", "{{tool}}"]}`
    tool('sure', settings)
    const run = onTerminal([call('sure', {}), {text: 'Done.'}], '-n')
    await run.waitFor('Really sure?')
    await run.waitFor('Yes, also when it asks again')
    run.type('y')
    assert.equal(await run.exited, 0)
    assert.deepEqual(results(), ['yes it is\n'])
    await query([call('sure', {}), {text: 'Done.'}])
    assert.deepEqual(results(), ['The tool asked "Really sure?", and nobody could answer.'])
    tool('sure', `${settings}\n[conversation.tools.sure.questions.sure]\nanswer = true`)
    await query([call('sure', {}), {text: 'Done.'}])
    assert.deepEqual(results(), ['yes it is\n'])
  })

  it('W26: an answer for the rest of the turn is not asked for again, and holds for no other turn', async () => {
    const ask = `case "$1" in *'"answers":{"sure":true}'*) echo yes it is;; *) echo '{"type":"needs_input","question":{"id":"sure","text":"Really sure?","answer_type":"Boolean"}}';; esac`
    tool('sure', `command = {program = "sh", args = ["-c", ${JSON.stringify(ask)}, "sh", "{{tool}}"]}`)
    const steps = [call('sure', {}), {text: 'Once.'}, {end: 'stop'}]
    const run = onTerminal([call('sure', {}), {text: 'Again.'}, call('sure', {}), {text: 'Done.'}], '-n')
    await run.waitFor('Yes, also when it asks again')
    run.type('Y')
    assert.equal(await run.exited, 0)
    assert.deepEqual(results(), ['yes it is\n', 'yes it is\n'])
    const other = onTerminal(steps, '-n')
    await other.waitFor('Yes, also when it asks again')
    other.type('n')
    await other.waitFor('Yes, also when it asks again')
    other.type('y')
    assert.equal(await other.exited, 0)
  })

  it('W26, facts 9.6: a question for the assistant is answered by it, with nobody there, and both are recorded', async () => {
    const ask = `case "$1" in *'"answers":{"how":"gently"}'*) echo gently;; *) echo '{"type":"needs_input","question":{"id":"how","text":"How?","answer_type":{"Select":{"options":["gently","fast"]}}}}';; esac`
    const settings = `command = {program = "sh", args = ["-c", ${JSON.stringify(ask)}, "sh", "{{tool}}"]}`
    tool('clean', `${settings}\n[conversation.tools.clean.questions.how]\ntarget = "assistant"`)
    const steps = [call('clean', {}), {text: '{"answer": "gently"}'}, {end: 'stop'}, {text: 'Done.'}]
    const run = await query(steps)
    assert.deepEqual([run.stdout, run.code], ['Done.\n', 0], run.stderr)
    assert.match(run.stderr, /^→ clean \{\}\n\? How\?\n= "gently"\n← clean success \(1 line\)\n$/)
    assert.deepEqual(results(), ['gently\n'])
    assert.deepEqual(
      stored()
        .filter(({type}) => type.startsWith('inquiry'))
        .map((event) => ({...event, timestamp: ''})),
      [
        {
          timestamp: '',
          type: 'inquiry_request',
          id: 'call_1.how',
          source: {source: 'tool', name: 'clean'},
          question: {text: 'How?', answer_type: {type: 'select', options: [{value: 'gently'}, {value: 'fast'}]}},
        },
        {timestamp: '', type: 'inquiry_response', id: 'call_1.how', answer: 'gently'},
      ],
    )
    // Its words are no part of the answer, and the conversation goes on.
    assert.deepEqual(
      stored().flatMap(({message}) => message ?? []),
      ['Done.'],
    )
    assert.equal((await runJp(['query', 'on'], {cwd: root, env: env()})).stdout, 'on\n')
    await query([call('clean', {}), {text: 'I would not know.'}, {end: 'stop'}, {text: 'Done.'}])
    assert.deepEqual(results(), ['The tool asked "How?", and the assistant gave no answer that fits.'])
    const fast = [{text: '{"answer": "fast"}'}, {end: 'stop'}]
    await query([call('clean', {}), ...fast, ...fast, ...fast, ...fast, {text: 'Done.'}])
    assert.deepEqual(results(), ['The tool asked "How?" again and again, whatever it was answered.'])
    await query([call('clean', {}), {reasoning: 'Hm.'}, {error: 'unauthorised'}, {text: 'Done.'}])
    assert.deepEqual(results(), ['The tool asked "How?", and the assistant could not be asked: Echo refused the key.'])
  })

  describe('with the policy edit', () => {
    /** An editor that leaves what this line of sed makes of the text. */
    const editor = (sed: string): Record<string, string> => ({
      EDITOR: scratch.write('editor', `#!/bin/sh\nsed -i '${sed}' "$1"\n`),
    })
    const edited = (steps: readonly unknown[], sed: string): TerminalRun => {
      const given = {...script(...steps), ...editor(sed)}
      chmodSync(join(scratch.path, 'editor'), 0o755)
      const run = startOnTerminal(['query', '-n', 'go'], {cwd: root, env: given})
      runs.push(run)
      return run
    }
    const echo = (policies: string): void =>
      tool(
        'echo',
        `command = {program = "echo", args = ["{{tool.arguments.text}}"]}\n${policies}\n[conversation.tools.echo.parameters.text]\ntype = "string"`,
      )

    it('W26: the arguments are edited before the call runs, and those that no longer fit run nothing', async () => {
      echo('')
      const file = join(scratch.home, '.config/jp/config.toml')
      scratch.write('home/.config/jp/config.toml', readFileSync(file, 'utf8').replace('"unattended"', '"edit"'))
      assert.equal(await edited([call('echo', {text: 'one'}), {text: 'Done.'}], 's/one/two words; $(x)/').exited, 0)
      assert.deepEqual(results(), ['two words; $(x)\n'])
      for (const [sed, reason] of [
        ['s/.*//', 'the edited arguments were no JSON object'],
        ['s/text/other/', 'the edited arguments do not fit: There is no argument "other".'],
      ] as const) {
        assert.equal(await edited([call('echo', {text: 'one'}), {text: 'Done.'}], sed).exited, 5)
        assert.equal(
          results()[0],
          `This call was denied: ${reason}. It did not run. Go on without it, or say what you would need it for.`,
        )
      }
    })

    it('W26: the result is edited before the model gets it', async () => {
      echo('result = "edit"')
      assert.equal(await edited([call('echo', {text: 'secret one'}), {text: 'Done.'}], 's/secret/public/').exited, 0)
      assert.deepEqual(results(), ['public one\n'])
    })

    it('W26: an editor that fails denies the call and keeps the result back; nothing becomes a yes', async () => {
      echo('result = "edit"')
      const failing = edited([call('echo', {text: 'secret one'}), {text: 'Done.'}], '/')
      assert.equal(await failing.exited, 5, failing.received)
      assert.doesNotMatch(results()[0] ?? '', /secret/)
    })

    it('W26: without a terminal it runs nothing, and keeps the result back', async () => {
      echo('result = "edit"')
      assert.equal((await query([call('echo', {text: 'secret'}), {text: 'Done.'}])).code, 5)
      assert.doesNotMatch(results()[0] ?? '', /secret/)
      assert.equal(
        (await query([call('echo', {text: 'x'}), {text: '.'}], '-c', 'conversation.tools.echo.run=edit')).code,
        5,
      )
      assert.match(results()[0] ?? '', /^This call was denied: nobody could be asked\./)
    })
  })

  it('W26: the policy for results keeps a result from the model', async () => {
    tool('secret', 'command = "echo secret"\nresult = "deny"')
    const run = await query([call('secret', {}), {text: 'Hm.'}])
    assert.equal(run.code, 5)
    assert.doesNotMatch(results()[0] ?? '', /secret/)
  })

  it('W26: several calls run beside each other, and their results stand in the order of the calls', async () => {
    // Each waits until all three have begun and the next one has ended: they end in the reverse order.
    const wait =
      'touch "b$1"; until [ -e b1 ] && [ -e b2 ] && [ -e b3 ] && { [ "$1" = 3 ] || [ -e "d$(($1 + 1))" ]; }; do sleep 0.02; done; touch "d$1"; echo "$1"'
    tool(
      'wait',
      `command = {program = "sh", args = ["-c", ${JSON.stringify(wait)}, "sh", "{{tool.arguments.n}}"]}\ntimeout_secs = 15\n[conversation.tools.wait.parameters.n]\ntype = "string"`,
    )
    await query([call('wait', {n: '1'}), call('wait', {n: '2'}), call('wait', {n: '3'}), {text: '.'}])
    assert.deepEqual(results(), ['1\n', '2\n', '3\n'])
  })

  it('W26: 50 MB of output are bounded, and bytes that are no text and control sequences do no harm', async () => {
    const big = scratch.write(
      'big.mjs',
      "process.stdout.write(Buffer.from('caf\\xe9 \\x1b[31mred\\x1b]0;t\\x07', 'latin1'))\n" +
        "for (let n = 0; n < 50; n++) process.stdout.write('x'.repeat(1024 * 1024))\nprocess.stdout.write('END')\n",
    )
    tool('big', `command = "node ${big}"`)
    const run = await query([call('big', {}), {text: 'Big.'}])
    assert.deepEqual([run.stdout, run.code], ['Big.\n', 0])
    const [result = ''] = results()
    assert.ok(result.startsWith('caf\ufffd '))
    assert.ok(result.endsWith('xEND'))
    assert.ok(result.length < 300 * 1024)
    assert.ok(!/[\u001b\u0007]/.test(run.stderr))
  })

  it('W26: a tool that runs longer than its timeout_secs is ended and told with what it printed; * gives the default', async () => {
    tool('stuck', `command = {program = "sh", args = ["-c", "trap '' TERM; echo so far; while :; do sleep 1; done"]}`)
    const limited = ['-c', 'conversation.tools.*.timeout_secs:=1']
    const steps = [call('stuck', {}), call('run_command', {command: 'sleep 60', timeout_secs: 90}), {text: 'Done.'}]
    const unattended = ['--tool', 'run_command', '-c', 'conversation.tools.run_command.run=unattended']
    const run = await query(steps, ...limited, ...unattended)
    assert.deepEqual([run.stdout, run.code], ['Done.\n', 0], run.stderr)
    assert.deepEqual(JSON.parse(results()[0] ?? ''), {
      message: 'The tool failed: it ran longer than 1 s.',
      stdout: 'so far\n',
      stderr: '',
    })
    assert.match(results()[1] ?? '', /^The command failed: it ran longer than 1 s\./)
  })

  it('W26, Q28: a grandchild that keeps the pipes open is ended with the tool', async () => {
    tool('leave', `command = {program = "sh", args = ["-c", "sleep 60 & echo $! > pid; echo left"]}`)
    const run = await query([call('leave', {}), {text: 'Done.'}])
    assert.equal(run.code, 0)
    assert.deepEqual(results(), ['left\n'])
    await until(() => !isRunning(Number(readFileSync(join(root, 'pid'), 'utf8'))), 'the grandchild to end')
  })

  it('W27, FR-25: a tool that never ends and ignores SIGTERM is ended; the conversation goes on', async () => {
    tool(
      'stuck',
      `command = {program = "sh", args = ["-c", "trap '' TERM; echo $$ >> pid; while :; do sleep 1; done"]}`,
    )
    const pids = (): number[] =>
      existsSync(join(root, 'pid')) ? readFileSync(join(root, 'pid'), 'utf8').trim().split('\n').map(Number) : []
    const run = onTerminal([call('stuck', {}), call('stuck', {}), {text: 'never'}], '-n')
    await run.waitFor('stuck')
    await run.waitFor('stuck')
    await until(() => pids().length === 2, 'both calls')
    run.type('\u0003')
    await run.waitFor('A tool is running')
    run.type('s')
    assert.equal(await run.exited, 130)
    await until(() => !pids().some(isRunning), 'the tools to end')
    assert.deepEqual(results(), ['Tool call was interrupted.', 'Tool call was interrupted.'])
    assert.equal((await runJp(['query', 'on'], {cwd: root, env: env()})).stdout, 'on\n')
  })

  it('W27: an answer in place of a running tool is its result, and the model goes on', async () => {
    tool('slow', beginsAndSleeps)
    const run = onTerminal([call('slow', {}), {text: 'Understood.'}], '-n')
    await exists('began')
    run.type('\u0003')
    await run.waitFor('A tool is running')
    run.type('r')
    await run.waitFor('Your message:')
    run.type('take 42\r')
    assert.equal(await run.exited, 0)
    assert.deepEqual(results(), ['take 42'])
    assert.equal(stored().at(-1)?.message, 'Understood.')
  })

  it('W27: a running tool is started again, with the same arguments, and the first one is ended', async () => {
    tool(
      'once',
      `command = {program = "sh", args = ["-c", "echo $$ >> pid; if [ -e again ]; then echo done; else touch again; sleep 60; fi"]}`,
    )
    const run = onTerminal([call('once', {}), {text: 'Good.'}], '-n')
    await exists('again')
    run.type('\u0003')
    await run.waitFor('A tool is running')
    await run.waitFor('Start it again')
    run.type('t')
    assert.equal(await run.exited, 0)
    assert.deepEqual(results(), ['done\n'])
    const pids = readFileSync(join(root, 'pid'), 'utf8').trim().split('\n').map(Number)
    assert.equal(pids.length, 2)
    await until(() => !pids.some(isRunning), 'the tools to end')
  })

  it('W27: with compose_in_editor the answer in place of a tool is written in the editor', async () => {
    tool('slow', beginsAndSleeps)
    const script = scratch.write('edit.sh', `printf 'take 42' > "$1"\n`)
    const run = onTerminal(
      [call('slow', {}), {text: 'Understood.'}],
      '-n',
      '-c',
      'interrupt.tool_call.compose_in_editor:=true',
      '-c',
      `editor.cmd=sh ${script}`,
    )
    await exists('began')
    run.type('\u0003')
    await run.waitFor('A tool is running')
    run.type('r')
    assert.equal(await run.exited, 0)
    assert.deepEqual(results(), ['take 42'])
  })

  it('FR-25, W18: kill -9 while a tool runs leaves a conversation that goes on', async () => {
    tool('slow', `command = {program = "sh", args = ["-c", "echo $$ > pid; sleep 60"]}`)
    const child = spawn(process.execPath, [launcher, 'query', '-n', 'go'], {
      cwd: root,
      env: script(call('slow', {}), {text: 'never'}),
      stdio: 'ignore',
      detached: true,
    })
    await until(() => existsSync(join(root, 'pid')) && readFileSync(join(root, 'pid'), 'utf8') !== '', 'the tool')
    child.kill('SIGKILL')
    await new Promise((resolve) => child.on('close', resolve))
    process.kill(-Number(readFileSync(join(root, 'pid'), 'utf8')), 'SIGKILL')
    const run = await runJp(['query', 'on'], {cwd: root, env: env()})
    assert.deepEqual([run.stdout, run.code], ['on\n', 0])
    assert.equal(stored().filter(({type}) => type === 'tool_call_request').length, 1)
  })

  it('W26: built-in tools read, list, search, write and patch inside the checkout, and nowhere else', async () => {
    scratch.write('app/src/a.txt', 'one\ntwo\nthree\n')
    scratch.write('outside.txt', 'secret')
    const steps = [
      call('list_files', {glob: '*.txt'}),
      call('read_file', {path: 'src/a.txt', start_line: 2, end_line: 2}),
      call('search_files', {pattern: 't[wh]', regex: true}),
      call('search_files', {pattern: '(a+)+$', regex: true}),
      call('read_file', {path: '../outside.txt'}),
      call('write_file', {path: 'new/b.txt', content: 'B'}),
      call('write_file', {path: '.jp/config.toml', content: 'B'}),
      call('write_file', {path: '../b.txt', content: 'B'}),
      call('patch_file', {path: 'src/a.txt', old: 'two', new: '2'}),
      call('patch_file', {path: 'src/a.txt', old: 'nope', new: '2'}),
      call('run_command', {command: 'cat src/a.txt'}),
      call('run_command', {command: 'exit 3'}),
      {text: 'Done.'},
    ]
    const run = await query(steps, '--tools', '-c', 'conversation.tools.*.run=unattended')
    assert.deepEqual([run.stdout, run.code], ['Done.\n', 0], run.stderr)
    assert.deepEqual(results().slice(0, 3), ['src/a.txt', 'two', 'src/a.txt:2:two\nsrc/a.txt:3:three'])
    assert.match(results()[4] ?? '', /lies outside/)
    assert.equal(results()[5], 'Wrote new/b.txt.')
    assert.match(results()[6] ?? '', /belongs to jp itself/)
    assert.match(results()[7] ?? '', /lies outside/)
    assert.equal(results()[8], 'Changed 1 place in src/a.txt.')
    assert.match(results()[9] ?? '', /does not stand in src\/a.txt/)
    assert.ok(!existsSync(join(scratch.path, 'b.txt')))
  })

  it('W11, W26, facts 8.3: --mount lets tools use a path outside the checkout under a name, from then on', async () => {
    scratch.write('notes/n.txt', 'a note\n')
    scratch.write('more/m.txt', 'more\n')
    const steps = [
      call('list_files', {path: 'notes'}),
      call('read_file', {path: 'notes/n.txt'}),
      call('search_files', {pattern: 'note', path: 'notes'}),
      call('write_file', {path: 'notes/w.txt', content: 'W'}),
      call('patch_file', {path: 'more/m.txt', old: 'more', new: 'less'}),
      call('read_file', {path: 'more/m.txt'}),
      call('read_file', {path: '../other.txt'}),
      {text: 'Done.'},
    ]
    const mounts = ['--mount', 'notes=../notes', '--mount', `patch_file:more=${scratch.path}/more:rw`]
    const run = await query(steps, '--tools', ...mounts, '-c', 'conversation.tools.*.run=unattended')
    assert.deepEqual([run.stdout, run.code], ['Done.\n', 0], run.stderr)
    const [list, read, search, write, patch, elsewhere, outside] = results()
    assert.deepEqual(
      [list, read, search, patch],
      ['notes/n.txt', 'a note\n', 'notes/n.txt:1:a note', 'Changed 1 place in more/m.txt.'],
    )
    assert.equal(write, 'notes/w.txt may not be created: access.fs of the tool says so.')
    assert.match(elsewhere ?? '', /there is no|No such|not found|does not exist/i)
    assert.match(outside ?? '', /lies outside/)
    // It holds for the next turn too; a projection of it gives nobody else anything (W30).
    const next = await runJp(['query', 'go'], {
      cwd: root,
      env: script(call('read_file', {path: 'notes/n.txt'}), {text: '.'}),
    })
    assert.deepEqual([next.code, results().at(-1)], [0, 'a note\n'], next.stderr)
    for (const [mount, told, code] of [
      ['notes', '--mount can\'t be "notes".', 2],
      ['notes=../nowhere', "Can't mount ../nowhere: there is nothing there.", 3],
      ['.jp=../notes', '--mount can\'t be ".jp=../notes".', 2],
    ] as const) {
      const wrong = await query([], '--mount', mount)
      assert.deepEqual([wrong.stderr.split('\n')[0], wrong.code], [`Error: ${told}`, code])
    }
  })

  it('W30: a tool of an untrusted checkout is left out with a notice; naming it is exit 5', async () => {
    scratch.write(
      'app/.jp/config.toml',
      '[assistant.model]\nid = "echo/echo"\n[conversation.tools.mark]\nsource = "local"\ncommand = "touch marked"\nrun = "unattended"\n',
    )
    const run = await query([call('mark', {}), {text: 'Done.'}])
    assert.deepEqual([run.stdout, run.code], ['Done.\n', 0])
    assert.match(run.stderr, /jp w trust/)
    assert.deepEqual(results(), ['There is no tool "mark".'])
    assert.equal((await query([{text: '.'}], '--tool', 'mark')).code, 5)
    assert.ok(!existsSync(join(root, 'marked')))
    const trusted = await runJp(['query', '-n', 'go'], {
      cwd: root,
      env: {...script(call('mark', {}), {text: 'Done.'}), JP_TRUST_WORKSPACE: '1'},
    })
    assert.deepEqual([trusted.stdout, trusted.code], ['Done.\n', 0])
    assert.ok(existsSync(join(root, 'marked')))
  })

  it('W30: trust for one run is gone with it in that conversation too; what the user gave the conversation stays', async () => {
    scratch.write(
      'app/.jp/config.toml',
      '[assistant.model]\nid = "echo/echo"\n[conversation.tools.mark]\nsource = "local"\ncommand = "touch marked"\nrun = "unattended"\n',
    )
    const steps = [call('mark', {}), call('own', {}), {text: 'Done.'}]
    const own = ['source=local', 'command=touch owned', 'run=unattended']
    const flags = own.flatMap((setting) => ['-c', `conversation.tools.own.${setting}`])
    const ran = (): boolean[] =>
      ['marked', 'owned'].map((name) => {
        const path = join(root, name)
        const isThere = existsSync(path)
        rmSync(path, {force: true})
        return isThere
      })
    const turn = async (args: readonly string[], more: Readonly<Record<string, string>>): Promise<string> => {
      const run = await runJp(['query', ...args, 'go'], {cwd: root, env: {...script(...steps), ...more}})
      assert.deepEqual([run.stdout, run.code], ['Done.\n', 0], run.stderr)
      return run.stderr
    }
    await turn(['-n', ...flags], {JP_TRUST_WORKSPACE: '1'})
    assert.deepEqual(ran(), [true, true])
    assert.match(await turn([], {}), /jp w trust/)
    assert.deepEqual(ran(), [false, true])
    // Nor does a change of the conversation's configuration make it the user's own.
    await turn(['-c', 'assistant.name=x'], {JP_TRUST_WORKSPACE: '1'})
    assert.deepEqual(ran(), [true, true])
    await turn([], {})
    assert.deepEqual(ran(), [false, true])
  })

  it('W26, Q4: a tool that the model is to call and that is not on is told of, and the model chooses', async () => {
    const run = await query([{text: 'Done.'}], '--tool', 'read_file', '--tool-use', 'nope')
    assert.deepEqual(
      [run.stdout, run.stderr, run.code],
      [
        'Done.\n',
        'Warning: The tool "nope", which the model is to call, is not on; there are: read_file. The model chooses.\n',
        0,
      ],
    )
    assert.equal((await query([{text: 'Done.'}], '--tool', 'read_file', '--tool-use', 'read_file')).stderr, '')
  })

  it('Q4: a tool that does not exist, and one that may not be switched, are named with what there is', async () => {
    tool('fixed', 'command = "true"\nenable = "always"')
    const unknown = await query([{text: '.'}], '--tool', 'read_fil')
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [2, 'Error: There is no tool "read_fil".\n  Did you mean "read_file"?\n'],
    )
    const fixed = await query([{text: '.'}], '--no-tool', 'fixed')
    assert.equal(fixed.code, 2)
  })
})
