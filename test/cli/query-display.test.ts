import assert from 'node:assert/strict'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, runJp} from '../support/jp.js'
import {startOnTerminal, type TerminalRun} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('what jp query shows beside the answer', () => {
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

  const env = (steps: readonly unknown[]) => ({
    ...scratch.env,
    JP_SESSION: 'tab',
    JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(steps)),
  })
  const cfg = (settings: readonly string[]): string[] => settings.flatMap((setting) => ['-c', setting])
  const stderrOf = async (steps: readonly unknown[], ...settings: readonly string[]): Promise<string> => {
    const run = await runJp(['query', '-n', ...cfg(settings), 'go'], {cwd: root, env: env(steps), timeoutMs: 90_000})
    assert.deepEqual([run.stdout, run.code], ['Done.\n', 0], run.stderr)
    return run.stderr
  }

  it('W29: tool calls are shown as the style of the tool says', async () => {
    scratch.write(
      'home/.config/jp/config.toml',
      '[conversation.tools.list]\nsource = "local"\nrun = "unattended"\ncommand = "printf \'a\\\\nb\\\\nc\\\\n\'"\nparameters.n.type = "integer"\nparameters.to.type = "string"\n',
    )
    const steps = [{tool_call: {name: 'list', arguments: {n: 2, to: 'x y'}}}, {text: 'Done.'}]
    const style = (setting: string): string => `conversation.tools.list.style.${setting}`
    assert.equal(await stderrOf(steps), '→ list {"n":2,"to":"x y"}\n← list success (3 lines)\n')
    assert.equal(await stderrOf(steps, style('hidden:=true')), '')
    assert.equal(
      await stderrOf(steps, style('parameters=off'), style('inline_results:=2')),
      '→ list\n← list success (3 lines)\na\nb\n… 1 more\n',
    )
    assert.equal(
      await stderrOf(steps, style('parameters=function_call'), style('inline_results=full')),
      '→ list(n: 2, to: "x y")\n← list success (3 lines)\na\nb\nc\n',
    )
    assert.match(await stderrOf(steps, style('parameters=json')), /^→ list \{\n {2}"n": 2,\n/)
    const failing = style('error.inline_results=full')
    const wrong = [{tool_call: {name: 'list', arguments: {n: 'x'}}}, {text: 'Done.'}]
    assert.equal(
      await stderrOf(wrong, failing),
      '→ list {"n":"x"}\n← list error (1 line)\nThe argument "n" must be integer, not string.\n',
    )
  })

  it('W29, W30, facts 9.5: a command shows a call only when it may run unattended, and never in place of what runs', async () => {
    scratch.write(
      'home/.config/jp/config.toml',
      `[conversation.tools.list]
source = "local"
run = "unattended"
command = "echo {{context.action}}"
parameters.n.type = "integer"
style.parameters = {program = "sh", args = ["-c", "touch mark; printf '%s %s \\\\033[2J' \\"$1\\" \\"$2\\"", "sh", "{{context.action}}", "{{tool.arguments.n}}"]}
style.inline_results = "full"
`,
    )
    const steps = [{tool_call: {name: 'list', arguments: {n: 2}}}, {text: 'Done.'}]
    assert.equal(await stderrOf(steps), '→ list {"n":2}\n← list success (1 line)\nrun\n')
    assert.equal(existsSync(join(root, 'mark')), false)
    const shown = await stderrOf(steps, 'conversation.tools.list.format=unattended')
    assert.match(shown, /^→ list\nformat_arguments 2\n← list success \(1 line\)\nrun\n$/)
    assert.equal(existsSync(join(root, 'mark')), true)
  })

  it('W29: reasoning is shown whole, in part, or as a sign that the model thinks', async () => {
    const steps = [{reasoning: `Let me see. ${'hm '.repeat(200)}`}, {text: 'Done.'}]
    const of = (display: string): Promise<string> => stderrOf(steps, `style.reasoning.display${display}`)
    assert.match(await of('=full'), /^Let me see\. (?:hm ){200}\n\n$/)
    assert.equal(await of('=hidden'), '')
    assert.equal(await of(':=11'), 'Let me see. …\n\n')
    assert.equal(await of('=static'), 'Thinking …\n')
    assert.equal(await of('=progress'), 'Thinking ...\n')
    assert.match(await of('=timer'), /^Thought for \d+ s\.\n$/)
  })

  it('facts 8.4: c print draws Markdown on a terminal as the conversation says, or with --current-config as files do', async () => {
    const steps = [{text: '**Look**:\n\n```\na\n```'}]
    const run = await runJp(['query', '-n', ...cfg(['style.code.line_numbers:=true']), '*go*'], {
      cwd: root,
      env: env(steps),
    })
    assert.deepEqual([run.stdout, run.code], ['**Look**:\n\n```\na\n```\n', 0], run.stderr)
    const printed = async (...args: readonly string[]): Promise<string> => {
      const print = startOnTerminal(['conversation', 'print', '--no-color', ...args], {cwd: root, env: env(steps)})
      runs.push(print)
      assert.equal(await print.exited, 0)
      return print.received.replaceAll('\r\n', '\n')
    }
    assert.match(await printed(), /\n\ngo\n\n## Assistant .*\n\nLook:\n\n {3}1 {2}a\n$/)
    assert.match(await printed('--current-config'), /\n\nLook:\n\n {4}a\n$/)
    assert.match(await printed('--format', 'text'), /\n\n\*go\*\n\n## Assistant .*\n\n\*\*Look\*\*:\n\n```\na\n```\n$/)
  })

  it('W29, Q8: what goes to stderr is coloured by what stderr is; reasoning has its background, tool calls behind it too', async () => {
    const steps = [{reasoning: 'Hm.'}, {tool_call: {name: 'nope', arguments: {}}}, {text: 'Done.'}]
    const settings = cfg(['style.reasoning.background=blue'])
    const shown = startOnTerminal(['query', '-n', ...settings, 'go'], {cwd: root, env: env(steps)})
    runs.push(shown)
    assert.equal(await shown.exited, 0)
    const blue = (text: string): string => `\u001b[44m\u001b[2m${text}\u001b[22m\u001b[49m`
    assert.ok(shown.received.includes(blue('Hm.')), JSON.stringify(shown.received))
    assert.ok(shown.received.includes(blue('→ nope {}')), JSON.stringify(shown.received))
    const plain = ['-c', 'style.reasoning.extend_across_tool_calls=false'].join(' ')
    const line = `"${process.execPath}" "${launcher}" query -n ${settings.join(' ')} ${plain} go 2>err.txt`
    const redirected = startOnTerminal([line], {cwd: root, env: env(steps), shell: true})
    runs.push(redirected)
    assert.equal(await redirected.exited, 0)
    const told = 'Hm.\n\n→ nope {}\n← nope error (1 line)\n'
    assert.equal(readFileSync(join(root, 'err.txt'), 'utf8').replace(/tokens: .*\n$/, ''), told)
  })

  it('W29, Q8: a terminal is told the tokens of all answers of a turn; a pipe, --quiet and JSON are not', async () => {
    const steps = [{tool_call: {name: 'nope', arguments: {}}}, {text: 'one two three'}]
    const shown = async (...args: readonly string[]): Promise<string> => {
      const run = startOnTerminal(['query', '-n', ...args, 'go'], {cwd: root, env: env(steps)})
      runs.push(run)
      assert.equal(await run.exited, 0)
      return run.received
    }
    // Of echo a token is a word.
    const line = /^tokens: 12 in, 4 out\r\n$/m
    assert.match(await shown('--no-color'), line)
    assert.doesNotMatch(await shown('--no-color', '--quiet'), line)
    assert.doesNotMatch(await shown('--format', 'json'), /^tokens:/m)
    const piped = await runJp(['query', '-n', 'go'], {cwd: root, env: env(steps)})
    assert.deepEqual([piped.stdout, piped.stderr.includes('tokens:')], ['one two three\n', false])
  })

  it('Q7: a terminal is told what is waited for, and the line goes when there is something to say', async () => {
    scratch.write(
      'home/.config/jp/config.toml',
      '[conversation.tools.slow]\nsource = "local"\nrun = "unattended"\ncommand = "sleep 0.3"\n',
    )
    const steps = [{delay_ms: 300}, {tool_call: {name: 'slow', arguments: {}}}, {text: 'Done.'}]
    const settings = ['streaming.progress', 'tool_call.progress'].map((key) => `style.${key}.delay_secs:=0`)
    const run = startOnTerminal(['query', '-n', ...cfg(settings), 'go'], {cwd: root, env: env(steps)})
    runs.push(run)
    assert.equal(await run.exited, 0)
    const taken = '\r\u001b[2K'
    assert.ok(run.received.includes(`${taken}\u001b[2mWaiting for the answer … 0 s\u001b[22m`), run.received)
    assert.ok(run.received.includes(`${taken}\u001b[2mRunning slow … 0 s\u001b[22m`), run.received)
    assert.match(run.received, /\r\u001b\[2K\u001b\[2m← slow success/)
    const quiet = startOnTerminal(['query', '-n', '-q', ...cfg(settings), 'go'], {cwd: root, env: env(steps)})
    runs.push(quiet)
    assert.equal(await quiet.exited, 0)
    assert.doesNotMatch(quiet.received, /Waiting|Running/)
  })
})
