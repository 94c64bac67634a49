import assert from 'node:assert/strict'
import {cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {writeConversation} from '../support/conversations.js'
import {type Call, callsOf, canTrace, type FaultRun, runWithFault} from '../support/faults.js'
import {seed} from '../support/fuzz.js'
import {repository} from '../support/jp.js'
import {createPluginFolder} from '../support/plugins.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const isSoak = process.env['JP_SOAK'] === '1'
const errors = ['EIO', 'ENOSPC', 'EACCES', 'EMFILE']
/** One call in so many is made to fail. */
const stride = isSoak ? 1 : 16

/** The commands that write state beside the conversations that `fault.test.ts` writes. */
const commands: readonly (readonly [what: string, args: readonly string[]])[] = [
  ['a new workspace', ['init', '../new', '--model', 'echo/echo', '--run-tools', 'ask', '--user-name', 'U', '--shared']],
  ['trust', ['w', 'trust']],
  ['trust taken back', ['w', 'untrust', '../lib']],
  ['a registry without the dead', ['w', 'prune']],
  ['a setting', ['config', 'set', 'style.code.line_numbers=true']],
  ['a setting taken out', ['config', 'unset', 'assistant.name']],
  ['an approval', ['plugins', 'approve', 'notes']],
  ['an approval taken back', ['plugins', 'revoke', 'old']],
  ['a conversation brought back', ['c', 'unarchive', 'jp-c17750000002', '--yes']],
  ['a conversation out of the checkout', ['c', 'edit', 'jp-c17750000001', '--local', '--yes']],
  ['repairs', ['doctor', '--fix', '--offline']],
]

describe(`one failing call of a command that writes other state (seed ${seed}, ${isSoak ? 'every call' : 'a sample'})`, () => {
  let scratch: Scratch
  let env: Record<string, string>
  let root: string

  before(async function () {
    if (!canTrace()) return this.skip()
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    scratch.write(
      'app/.jp/config.toml',
      '[assistant]\nname = "mine"\n[conversation.tools.x]\nsource = "local"\ncommand = "x"\n',
    )
    scratch.checkout('lib', 'd3e4f')
    scratch.write('lib/.jp/config.toml', '[conversation.tools.x]\nsource = "local"\ncommand = "x"\n')
    const data = 'home/.local/share/jp'
    const silo = join(scratch.data, 'workspace', 'app-a1b2c')
    for (const shelf of [join(silo, 'conversations'), join(root, '.jp', 'conversations')]) {
      writeConversation(shelf, '17750000001-x', {title: 'One'})
      writeConversation(join(shelf, '.archive'), '17750000002-y', {title: 'Two'})
    }
    scratch.write(
      `${data}/workspace/app-a1b2c/roots/1123456789abcdef.json`,
      '{"path":"/gone","last_used":"2026-01-01T00:00:00Z"}',
    )
    scratch.write(`${data}/workspace/app-a1b2c/roots/2123456789abcdef.json`, '{"path"')
    scratch.write(`${data}/workspace/app-a1b2c/conversations/17750000003-z/metadata.json`, '{')
    const plugins = createPluginFolder(scratch)
    for (const name of ['notes', 'old']) plugins.addShell(`jp-${name}`, {command: [name]}, 'true')
    env = {...plugins.env, JP_SESSION: 'tab', JP_NON_INTERACTIVE: '1'}
    for (const args of [
      ['plugins', 'approve', 'old'],
      ['w', 'trust', '../lib'],
      ['c', 'ls'],
    ])
      callsOf(runOf(args), [], scratch.path)
    save('before')
  })
  after(() => scratch?.remove())

  const runOf = (args: readonly string[]): FaultRun => ({args: [...args, '--format', 'json'], cwd: root, env})
  const parts = ['app', 'lib', 'new', 'home']
  const save = (name: string): void => {
    for (const part of parts)
      if (existsSync(join(scratch.path, part)))
        cpSync(join(scratch.path, part), join(scratch.path, 'saved', name, part), {
          recursive: true,
          preserveTimestamps: true,
        })
  }
  const restore = (): void => {
    for (const part of parts) {
      rmSync(join(scratch.path, part), {recursive: true, force: true})
      const saved = join(scratch.path, 'saved', 'before', part)
      if (existsSync(saved)) cpSync(saved, join(scratch.path, part), {recursive: true, preserveTimestamps: true})
    }
  }

  for (const [what, args] of commands) {
    it(`Q26, W18, FR-17, FR-18: ${what}: each file old or new, an error that says so, no stray lock`, function () {
      this.timeout(isSoak ? 900_000 : 300_000)
      const folders = [...['app', 'lib', 'new'].map((part) => join(scratch.path, part)), scratch.data]
      restore()
      const calls = callsOf(runOf(args), folders, scratch.path)
      assert.ok(calls.length > 0, 'the calls are found')
      const states = [filesOf(join(scratch.path, 'saved', 'before')), filesOf(scratch.path)]
      const chosen = isSoak
        ? calls.flatMap((call) => errors.map((error) => [call, error] as const))
        : calls
            .filter((_, index) => (index + seed) % stride === 0)
            .map((call, index) => [call, errors[(index + seed) % errors.length] ?? 'EIO'] as const)
      const failures: string[] = []
      for (const [call, error] of chosen) {
        restore()
        try {
          check(runWithFault(runOf(args), call, error), {call, error, states})
        } catch (failure) {
          failures.push(failure instanceof Error ? failure.message : String(failure))
        }
      }
      assert.deepEqual(failures, [])
    })
  }

  type Files = ReadonlyMap<string, string>

  /** Every file of the user, with what differs from run to run blotted out. */
  const filesOf = (top: string): Files =>
    new Map(
      parts.flatMap((part) =>
        (existsSync(join(top, part)) ? readdirSync(join(top, part), {recursive: true}) : [])
          .map((name) => join(part, String(name)))
          .filter((name) => !name.includes('.cache/') && lstatSync(join(top, name)).isFile())
          .map((name) => [plain(name), plain(readFileSync(join(top, name), 'utf8'))] as const),
      ),
    )
  const plain = (text: string): string =>
    text
      .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
      .replaceAll(/\.\d+-\d+\.tmp/g, '.tmp')
      .replace(/new-[0-9a-z]{5}(?=\/|$)/, 'new-ID')
      .replace(/^[0-9a-z]{5}$/m, 'ID')

  const check = (
    result: {code: number | null; stderr: string},
    {call, error, states}: {readonly call: Call; readonly error: string; readonly states: readonly Files[]},
  ): void => {
    // The number of opens before jp's own differs by one now and then: this fault has hit a file of the program itself.
    if (result.stderr.includes(repository)) return
    const about = `${error} at ${call.shown}\n${result.stderr}`
    const isOutput = /^Error: Can't write the output: /m.test(result.stderr)
    if (result.code !== 0 && !isOutput) {
      assert.match(result.stderr, /^\{.*\}$/m, about)
      const told = JSON.parse(result.stderr.trim().split('\n').at(-1) ?? '') as {code: string; message: string}
      assert.notEqual(told.code, 'internal', about)
    }
    for (const [name, content] of filesOf(scratch.path)) {
      assert.doesNotMatch(name, /\.lock$/, about)
      if (name.endsWith('.tmp') && call.name.startsWith('unlink')) continue
      const allowed = states.map((state) => state.get(name))
      assert.ok(allowed.includes(content), `${name} is neither old nor new: ${content.slice(0, 200)}\n${about}`)
    }
    for (const name of states[0]?.keys() ?? [])
      if (states.every((state) => state.has(name)))
        assert.ok(filesOf(scratch.path).has(name), `${name} is gone\n${about}`)
  }
})
