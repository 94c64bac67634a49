import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, runJp} from '../support/jp.js'
import {createPluginFolder, type PluginFolder} from '../support/plugins.js'
import {startOnTerminal} from '../support/pty.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'
import {tracedWrites, tracing} from '../support/traced-writes.js'

/**
 * Where jp is launched, and what each scope makes of it: whose configuration admits, which workspace `init` names, where the
 * plugin runs, whether the user is asked. A number is the exit code of a run that starts nothing.
 *
 * `a` and `b` are workspaces with one checkout, `twins` has two, `dead` has none left.
 */
type Outcome =
  | number
  | {readonly config: string; readonly workspace?: string; readonly cwd: string; readonly asks?: string}
type Cell = {
  readonly where: string
  readonly cwd: string
  readonly flags?: readonly string[]
  readonly terminal?: boolean
  /** What the session selected before: `jp w use`. */
  readonly selected?: readonly string[]
  readonly single: Outcome
  readonly multi: Outcome
}

const matrix: readonly Cell[] = [
  {where: 'outside', cwd: 'outside', single: 3, multi: {config: 'user', cwd: 'outside'}},
  {where: 'in a', cwd: 'a', single: {config: 'a', workspace: 'a', cwd: 'a'}, multi: {config: 'a', cwd: 'a'}},
  {
    where: 'below a',
    cwd: 'a/sub',
    single: {config: 'a', workspace: 'a', cwd: 'a/sub'},
    multi: {config: 'a', cwd: 'a/sub'},
  },
  {
    where: 'outside, -w a',
    cwd: 'outside',
    flags: ['-w', '../a'],
    single: {config: 'a', workspace: 'a', cwd: 'a'},
    multi: {config: 'a', cwd: 'outside'},
  },
  {
    where: 'in b, -w a by id',
    cwd: 'b',
    flags: ['-w', 'aaaaa'],
    single: {config: 'a', workspace: 'a', cwd: 'a'},
    multi: {config: 'a', cwd: 'b'},
  },
  {where: 'in a, -w twins by id', cwd: 'a', flags: ['-w', 'ttttt'], single: 2, multi: 2},
  {where: 'in a, -w of a dead one', cwd: 'a', flags: ['-w', 'ddddd'], single: 3, multi: 3},
  {where: 'in a, -w of nothing', cwd: 'a', flags: ['-w', 'nothing-like-it'], single: 3, multi: 3},
  {
    where: 'in a, no terminal, b selected',
    cwd: 'a',
    selected: ['bbbbb'],
    single: {config: 'a', workspace: 'a', cwd: 'a'},
    multi: {config: 'a', cwd: 'a'},
  },
  {
    where: 'outside, no terminal, b selected',
    cwd: 'outside',
    selected: ['bbbbb'],
    single: 3,
    multi: {config: 'user', cwd: 'outside'},
  },
  {
    where: 'outside, terminal, b selected',
    cwd: 'outside',
    terminal: true,
    selected: ['bbbbb'],
    single: {config: 'b', workspace: 'b', cwd: 'b'},
    multi: {config: 'b', cwd: 'outside'},
  },
  {
    where: 'in a, terminal, b selected',
    cwd: 'a',
    terminal: true,
    selected: ['bbbbb'],
    single: {config: 'a', workspace: 'a', cwd: 'a', asks: 'c'},
    multi: {config: 'a', cwd: 'a'},
  },
  {
    where: 'in a, terminal, b sticky',
    cwd: 'a',
    terminal: true,
    selected: ['bbbbb', '--always'],
    single: {config: 'b', workspace: 'b', cwd: 'b'},
    multi: {config: 'b', cwd: 'a'},
  },
  {
    where: 'in a, terminal, -w twins by id',
    cwd: 'a',
    terminal: true,
    flags: ['-w', 'ttttt'],
    single: {config: 'twin-1', workspace: 'twin-1', cwd: 'twin-1', asks: '\r'},
    multi: 2,
  },
  {
    where: 'in a, terminal, -w ?',
    cwd: 'a',
    terminal: true,
    flags: ['-w', '?'],
    single: {config: 'twin-1', workspace: 'twin-1', cwd: 'twin-1', asks: '\r'},
    multi: 2,
  },
]

const runWithoutTerminal = async (
  [file = '', ...args]: readonly string[],
  options: {readonly cwd: string; readonly env: Readonly<Record<string, string>>},
): Promise<number> => {
  const child = spawn(file, args, {...options, detached: true, stdio: ['ignore', 'ignore', 'ignore']})
  const [code] = await once(child, 'close')
  return Number(code)
}

describe('the two scopes, wherever jp is launched', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  before(async () => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    const body =
      'read -r init; printf \'{"init":%s,"cwd":"%s"}\' "$init" "$(pwd)" >"$HOME/told"; echo \'{"type":"exit","code":0}\''
    plugins.addShell('jp-single', {command: ['single']}, body)
    plugins.addShell('jp-multi', {command: ['multi'], protocol: 12, workspace_scope: 'multi'}, body)
    const options = (who: string) =>
      ['single', 'multi'].map((name) => `plugins.command.${name}.options.who = "${who}"\n`).join('')
    const allow = ['single', 'multi'].map((name) => `plugins.command.${name}.run = "allow"\n`).join('')
    scratch.write('home/.config/jp/config.toml', allow + options('user'))
    scratch.folder('outside')
    for (const [name, id] of [
      ['a', 'aaaaa'],
      ['b', 'bbbbb'],
      ['twin-2', 'ttttt'],
      ['twin-1', 'ttttt'],
      ['dead', 'ddddd'],
    ] as const) {
      const cwd = scratch.checkout(name, id)
      scratch.write(`${name}/.jp/config.toml`, options(name))
      assert.equal((await runJp(['single'], {cwd, env: env('none')})).code, 0)
    }
    scratch.folder('a/sub')
    rmSync(join(scratch.path, 'dead'), {recursive: true})
  })
  after(() => scratch.remove())

  const env = (session: string) => ({...plugins.env, JP_SESSION: session, JP_TRUST_WORKSPACE: '1'})
  const told = () => join(scratch.home, 'told')
  const log = () => join(scratch.home, 'calls')
  const watched = () => [scratch.data, ...['a', 'b', 'twin-1', 'twin-2'].map((name) => join(scratch.path, name))]

  const launch = async (
    cell: Cell,
    scope: 'single' | 'multi',
    session: string,
  ): Promise<{code: number; asked: boolean}> => {
    const cwd = join(scratch.path, cell.cwd)
    const args = [...(cell.flags ?? []), scope]
    const command = [...(scope === 'multi' ? tracing(log()) : []), process.execPath, launcher, ...args]
    if (cell.terminal !== true) return {code: await runWithoutTerminal(command, {cwd, env: env(session)}), asked: false}
    const line = command.map((word) => `'${word}'`).join(' ')
    const run = startOnTerminal([`exec ${line}`], {cwd, env: env(session), columns: 200, shell: true})
    const expected = cell[scope]
    const keys = typeof expected === 'object' ? expected.asks : undefined
    if (keys !== undefined) {
      await run.waitFor(/q {2}quit|❯ /)
      run.type(keys)
    }
    return {code: await run.exited, asked: /q {2}quit|❯ /.test(run.received)}
  }

  for (const [row, cell] of matrix.entries()) {
    for (const scope of ['single', 'multi'] as const) {
      it(`S5, S6, S7, S8, S9, S10: ${scope}, ${cell.where}`, async () => {
        const session = `row-${row}-${scope}`
        if (cell.selected !== undefined) {
          const use = startOnTerminal(['w', 'use', ...cell.selected], {cwd: scratch.path, env: env(session)})
          assert.equal(await use.exited, 0, use.received)
        }
        rmSync(told(), {force: true})
        const kept = () => watched().flatMap(listing)
        const before = kept()
        const {code, asked} = await launch(cell, scope, session)
        if (scope === 'multi') {
          assert.deepEqual(kept(), before, 'something was written')
          const {writes, all} = tracedWrites(log(), watched())
          assert.deepEqual(writes, [])
          assert.ok(all > 0, 'the trace has what was read')
        }
        const expected = cell[scope]
        if (typeof expected === 'number') {
          assert.deepEqual([code, existsSync(told()), asked], [expected, false, false])
          return
        }
        assert.equal(code, 0)
        const {init, cwd} = JSON.parse(readFileSync(told(), 'utf8'))
        assert.deepEqual(
          {
            config: init.options.who,
            workspace: init.workspace?.root,
            cwd,
            asked,
            keys: Object.keys(init).includes('config'),
          },
          {
            config: expected.config,
            workspace: expected.workspace === undefined ? undefined : join(scratch.path, expected.workspace),
            cwd: join(scratch.path, expected.cwd),
            asked: expected.asks !== undefined,
            keys: scope === 'single',
          },
        )
      })
    }
  }
})
