import assert from 'node:assert/strict'
import {basename, join} from 'node:path'
import {exitCodeFor} from '../../src/cli/exit-codes.js'
import {JpError} from '../../src/errors/jp-error.js'
import {silentTrace} from '../../src/platform/trace.js'
import {createApprovalStore} from '../../src/plugin/approvals.js'
import {findPlugins} from '../../src/plugin/find-plugins.js'
import type {Plugin} from '../../src/plugin/plugin.js'
import {openLaunch, type PluginLaunch} from '../../src/plugin/plugin-launch.js'
import {createLadderWorld, type LadderWorld, ladderColumns, printRows, rowsOf} from '../support/ladder-world.js'
import {Unanswered} from '../support/launch.js'
import {createPluginFolder} from '../support/plugins.js'
import {listing} from '../support/scratch.js'

/**
 * What a plugin's scope makes of every place where jp is launched. Rows and columns are those of the ladder
 * (`test/behaviour/ladder.test.ts`). A cell names the checkout whose configuration admits the plugin and gives its options;
 * `user` is none: the user's own layers. `asks` is a question, and a number the exit code of a run that starts nothing.
 *
 * `single`: that checkout is also the workspace of `init`, with its configuration, and the plugin runs in it, or in the
 * launch cwd when that lies in it. What the run writes is what the ladder says.
 *
 * `multi`: `init` names no workspace and no configuration, the plugin runs in the launch cwd, nothing is asked and nothing
 * is written, whatever the cell is.
 */
const single = `
cwd      | -w        | no selection | same   | different | dead     | sticky | pinned, dead | no terminal | told not to ask
inside   |           | here         | here   | asks      | asks     | solo   | asks         | here        | here
inside   | id        | solo         | solo   | solo      | solo     | solo   | solo         | solo        | solo
inside   | path      | solo         | solo   | solo      | solo     | solo   | solo         | solo        | solo
inside   | ambiguous | asks         | asks   | asks      | asks     | asks   | asks         | 2           | 2
inside   | ?         | asks         | asks   | asks      | asks     | asks   | asks         | 2           | 2
inside   | gone      | 3            | 3      | 3         | 3        | 3      | 3            | 3           | 3
inside   | nothing   | 3            | 3      | 3         | 3        | 3      | 3            | 3           | 3
another  |           | twin-a       | twin-a | asks      | asks     | solo   | asks         | twin-a      | twin-a
another  | id        | solo         | solo   | solo      | solo     | solo   | solo         | solo        | solo
another  | path      | solo         | solo   | solo      | solo     | solo   | solo         | solo        | solo
another  | ambiguous | asks         | asks   | asks      | asks     | asks   | asks         | 2           | 2
another  | ?         | asks         | asks   | asks      | asks     | asks   | asks         | 2           | 2
outside  |           | asks         | here   | solo      | moved-to | solo   | moved-to     | 3           | 3
outside  | id        | solo         | solo   | solo      | solo     | solo   | solo         | solo        | solo
outside  | path      | solo         | solo   | solo      | solo     | solo   | solo         | solo        | solo
outside  | ambiguous | asks         | asks   | asks      | asks     | asks   | asks         | 2           | 2
outside  | ?         | asks         | asks   | asks      | asks     | asks   | asks         | 2           | 2
dead     |           | asks         | here   | solo      | moved-to | solo   | moved-to     | 3           | 3
dead     | id        | solo         | solo   | solo      | solo     | solo   | solo         | solo        | solo
dead     | path      | solo         | solo   | solo      | solo     | solo   | solo         | solo        | solo
dead     | ambiguous | asks         | asks   | asks      | asks     | asks   | asks         | 2           | 2
dead     | ?         | asks         | asks   | asks      | asks     | asks   | asks         | 2           | 2
`

const multi = `
cwd      | -w        | no selection | same   | different | dead   | sticky | pinned, dead | no terminal | told not to ask
inside   |           | here         | here   | here      | here   | solo   | here         | here        | here
inside   | id        | solo         | solo   | solo      | solo   | solo   | solo         | solo        | solo
inside   | path      | solo         | solo   | solo      | solo   | solo   | solo         | solo        | solo
inside   | ambiguous | 2            | 2      | 2         | 2      | 2      | 2            | 2           | 2
inside   | ?         | 2            | 2      | 2         | 2      | 2      | 2            | 2           | 2
inside   | gone      | 3            | 3      | 3         | 3      | 3      | 3            | 3           | 3
inside   | nothing   | 3            | 3      | 3         | 3      | 3      | 3            | 3           | 3
another  |           | twin-a       | twin-a | twin-a    | twin-a | solo   | twin-a       | twin-a      | twin-a
another  | id        | solo         | solo   | solo      | solo   | solo   | solo         | solo        | solo
another  | path      | solo         | solo   | solo      | solo   | solo   | solo         | solo        | solo
another  | ambiguous | 2            | 2      | 2         | 2      | 2      | 2            | 2           | 2
another  | ?         | 2            | 2      | 2         | 2      | 2      | 2            | 2           | 2
outside  |           | user         | here   | solo      | user   | solo   | user         | user        | user
outside  | id        | solo         | solo   | solo      | solo   | solo   | solo         | solo        | solo
outside  | path      | solo         | solo   | solo      | solo   | solo   | solo         | solo        | solo
outside  | ambiguous | 2            | 2      | 2         | 2      | 2      | 2            | 2           | 2
outside  | ?         | 2            | 2      | 2         | 2      | 2      | 2            | 2           | 2
dead     |           | user         | here   | solo      | user   | solo   | user         | user        | user
dead     | id        | solo         | solo   | solo      | solo   | solo   | solo         | solo        | solo
dead     | path      | solo         | solo   | solo      | solo   | solo   | solo         | solo        | solo
dead     | ambiguous | 2            | 2      | 2         | 2      | 2      | 2            | 2           | 2
dead     | ?         | 2            | 2      | 2         | 2      | 2      | 2            | 2           | 2
`

describe('the two scopes over the matrix of the ladder', () => {
  let world: LadderWorld
  let plugins: readonly Plugin[]
  before(() => {
    world = createLadderWorld()
    const {scratch} = world
    const options = (who: string): string =>
      ['one', 'many'].map((name) => `plugins.command.${name}.options.who = "${who}"\n`).join('')
    scratch.write('home/.config/jp/config.toml', options('user'))
    for (const root of world.roots) scratch.write(`${basename(root)}/.jp/config.toml`, options(basename(root)))
    const folder = createPluginFolder(scratch)
    folder.addShell('jp-one', {command: ['one']}, 'exit 1')
    folder.addShell('jp-many', {command: ['many'], protocol: 12, workspace_scope: 'multi'}, 'exit 1')
    const launch = world.launch({cwd: 'outside', target: '', column: 'no terminal'})
    const environment = {...launch.environment, env: folder.env}
    const approvals = createApprovalStore({dataDirectory: scratch.data, clock: launch.clock, pid: process.pid})
    plugins = findPlugins({environment, directories: launch.directories, nowMs: 0}, approvals.read())
  })
  after(() => world.scratch.remove())

  /** Checks what holds in every cell of a scope; gives the cell. */
  const cellOf = (launch: PluginLaunch, scope: 'one' | 'many', cwd: string): string => {
    const who = String(launch.settings.options?.['who'])
    const user_data = world.scratch.data
    const user_config = join(world.scratch.home, '.config', 'jp')
    if (scope === 'many') {
      assert.deepEqual(launch.initFields, {paths: {user_data, user_config}})
      assert.equal(launch.cwd, cwd)
      return who
    }
    const root = join(world.scratch.path, who)
    const {workspace, paths, config} = launch.initFields
    assert.deepEqual({...workspace, id: undefined}, {root, storage: join(root, '.jp'), id: undefined})
    assert.deepEqual({...paths, user_workspace: undefined}, {user_data, user_config, user_workspace: undefined})
    assert.equal(typeof paths.user_workspace, 'string')
    assert.equal(typeof config, 'object')
    assert.equal(launch.cwd, root)
    return who
  }

  const outcomeOf = async (scope: 'one' | 'many', at: Parameters<LadderWorld['launch']>[0]): Promise<string> => {
    const plugin = plugins.find(({name}) => name === scope) ?? assert.fail(scope)
    const fake = world.launch(at)
    const {environment} = fake
    const launch = {...fake, environment: {...environment, env: {...environment.env, JP_TRUST_WORKSPACE: '1'}}}
    const before = listing(world.scratch.path)
    const isUntouched = (): void => assert.deepEqual(listing(world.scratch.path), before, 'something was written')
    try {
      const opened = await openLaunch(
        {
          launch,
          cfg: [],
          approvals: createApprovalStore({dataDirectory: world.scratch.data, clock: launch.clock, pid: process.pid}),
          prompter: launch.prompter,
          trace: silentTrace,
          logLevel: 0,
          version: '0',
          outputFormat: 'text',
          edit: () => assert.fail('edited'),
          print: () => assert.fail('printed'),
          note: () => undefined,
          warn: () => undefined,
          stop: new AbortController().signal,
          kill: new AbortController().signal,
        },
        plugin,
      )
      return cellOf(opened, scope, launch.environment.cwd)
    } catch (error) {
      isUntouched()
      if (error instanceof Unanswered) return 'asks'
      if (error instanceof JpError) return String(exitCodeFor(error.code))
      throw error
    } finally {
      if (scope === 'many') {
        isUntouched()
        assert.deepEqual(launch.asked, [])
      }
    }
  }

  for (const [scope, table] of [
    ['many', multi],
    ['one', single],
  ] as const) {
    it(`S5, ${scope === 'one' ? 'S6' : 'S7'}, S8, S9, S10: ${scope === 'one' ? 'single' : 'multi'}: every place, target and session comes to what the table says`, async () => {
      const expected = rowsOf(table)
      const actual: string[][] = []
      for (const [cwd = '', target = ''] of expected) {
        const cells: string[] = []
        for (const column of ladderColumns) cells.push(await outcomeOf(scope, {cwd, target, column}))
        actual.push([cwd, target, ...cells])
      }
      assert.equal(printRows(actual), printRows(expected))
    })
  }
})
