import assert from 'node:assert/strict'
import {readdirSync} from 'node:fs'
import {systemClock} from '../../../src/platform/clock.js'
import {userDirectories} from '../../../src/platform/directories.js'
import {silentTrace} from '../../../src/platform/trace.js'
import {createApprovalStore} from '../../../src/plugin/approvals.js'
import {approvePlugin} from '../../../src/plugin/approve-plugin.js'
import {findPlugins} from '../../../src/plugin/find-plugins.js'
import {routeToPlugin} from '../../../src/plugin/routing.js'
import {runPlugin} from '../../../src/plugin/run-plugin.js'
import {createPluginFolder, untilNoSurvivors} from '../../support/plugins.js'
import {until} from '../../support/processes.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const runs = process.env['JP_SOAK'] === '1' ? 500 : 50

/** What a process holds: descriptors, listeners for signals and its end, timers and child processes. */
const holdings = () => ({
  descriptors: readdirSync('/proc/self/fd').length,
  listeners: ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'].map((name) => process.listenerCount(name)),
  resources: process
    .getActiveResourcesInfo()
    .filter((name) => /Timeout|Process|Pipe/.test(name))
    .sort(),
})

describe('many runs of plugins in one process', () => {
  let scratch: Scratch
  before(() => {
    scratch = createScratch()
  })
  after(() => scratch.remove())

  it(`Q29: ${runs} runs leave no descriptor, child, timer or listener, however they end`, async function () {
    this.timeout(runs * 6000)
    const plugins = createPluginFolder(scratch)
    const root = scratch.checkout('work', 'abcde')
    const bodies = [
      `echo '{"type":"list_conversations","id":"a"}'; read -r a; echo '{"type":"exit","code":0}'`,
      `echo 'no message'`,
      'kill -9 $$',
      `sleep 1000 & echo '{"type":"exit","code":0}'`,
    ]
    for (const [index, body] of bodies.entries()) {
      plugins.addShell(`jp-p${index}`, {command: [`p${index}`]}, `read -r init; ${body}`)
    }
    const environment = {
      env: plugins.env,
      cwd: root,
      homeDir: scratch.home,
      platform: process.platform,
      pid: process.pid,
    }
    const directories = userDirectories(environment)
    const approvals = createApprovalStore({dataDirectory: directories.data, clock: systemClock, pid: process.pid})
    const builtIns = {isTaken: () => false}
    const find = () => findPlugins({environment, directories, nowMs: Date.now()}, approvals.read())
    for (const plugin of find()) {
      const deps = {approvals, environment, cacheDirectory: directories.cache, builtIns, find, onRun: () => undefined}
      await approvePlugin({...deps, nowMs: Date.now(), describe: () => assert.fail('described')}, plugin.name)
    }
    const stop = new AbortController().signal
    const run = async (name: string) => {
      const route = routeToPlugin([name], find(), builtIns) ?? assert.fail(name)
      const end = await runPlugin(
        {
          launch: {
            environment,
            directories,
            clock: systemClock,
            globals: {workspace: [], noPersist: false},
            argv: [],
            prompter: undefined,
            output: {note: () => undefined, warn: () => undefined},
          },
          cfg: [],
          approvals,
          prompter: undefined,
          trace: silentTrace,
          version: '0',
          logLevel: 0,
          outputFormat: 'text',
          edit: () => assert.fail('edited'),
          note: () => undefined,
          print: () => Promise.resolve(),
          warn: () => undefined,
          stop,
          kill: stop,
        },
        route,
      )
      return end.kind
    }
    const kinds = ['exit', 'failed', 'failed', 'exit']
    const once = async (index: number) => assert.equal(await run(`p${index % 4}`), kinds[index % 4])
    const atFirst = holdings()
    // The handle of the last child is closed in a later turn of the event loop.
    const isIdle = (): boolean => holdings().resources.length <= atFirst.resources.length
    for (let index = 0; index < 4; index++) await once(index)
    await until(isIdle, 'the last child to be let go')
    const before = holdings()
    for (let index = 0; index < runs; index++) await once(index % 8 === 3 ? 3 : index % 3)
    await until(isIdle, 'the last child to be let go')
    assert.deepEqual(holdings(), before)
    await untilNoSurvivors(scratch.path)
  })
})
