import assert from 'node:assert/strict'
import {join} from 'node:path'
import {inspect} from 'node:util'
import type {ServeFlags} from '../../src/daemon/serve-options.js'
import {isProcessAlive, procStat} from '../../src/platform/processes.js'
import type {Trace} from '../../src/platform/trace.js'
import {exampleAgent} from '../support/daemon.js'
import {createDaemonClient} from '../support/daemon-client.js'
import {createScratch, git, type Scratch} from '../support/scratch.js'
import {startServing, trust} from '../support/serving.js'
import {
  chooseOperation,
  createRandom,
  type ModelWorld,
  type Operation,
  perform,
  type SessionModel,
} from '../support/session-model.js'
import {watched} from '../support/watchdog.js'

const soak = process.env['JP_SOAK'] === '1'
const firstSeed = Number(process.env['JP_SEED'] ?? 20261130)

/** One operation takes milliseconds, or a second when a child starts; a busy machine makes more of it. Unit: milliseconds. */
const patienceMs = 60_000

/** How many operations, and lines of the daemon's log, are told of a run that failed. */
const lastTold = 20

/** Does operations at random; one that fails, or that never ends, is told with what was there. */
const run = async (world: ModelWorld & {readonly log: readonly string[]}, steps: number, seed: number) => {
  const random = createRandom(seed)
  const model: SessionModel = {live: new Map(), stored: new Map()}
  const pids = new Set<number>()
  const done: string[] = []
  const told = (at: number, {action, id, cwd}: Operation): string => {
    const states = world.daemon.registry.runtimes.map(({workspaceCwd, bridge}) => stateOf(workspaceCwd, bridge))
    const before = done.slice(-lastTold)
    return [
      `operation ${at} of seed ${seed}: ${action} ${id} in ${cwd}`,
      ['before it:', ...before].join('\n  '),
      ['the daemon:', ...states].join('\n  '),
      ['its log:', ...world.log.slice(-lastTold)].join('\n  '),
    ].join('\n')
  }
  for (let at = 1; at <= steps; at++) {
    const operation = chooseOperation(world, model, random)
    try {
      await watched(perform(world, model, operation), patienceMs * 1.5, () => 'no answer')
    } catch (error) {
      const {message} = error instanceof Error ? error : {message: String(error)}
      throw new assert.AssertionError({message: `${message}\n${told(at, operation)}`})
    }
    done.push(`${operation.action} ${operation.id} in ${operation.cwd}`)
    for (const {bridge} of world.daemon.registry.runtimes) if (bridge.agentPid !== undefined) pids.add(bridge.agentPid)
  }
  const {body} = await world.client.ask('GET', '/daemon/status')
  assert.deepEqual(body['runtime'].sessions, {active: model.live.size, admissionInFlight: 0, taken: model.live.size})
  return pids
}

type Bridge = ModelWorld['daemon']['registry']['primary']['bridge']

const stateOf = (cwd: string, {agentPid, sessions}: Bridge): string =>
  inspect({
    cwd,
    agentPid,
    agentLives: agentPid !== undefined && isProcessAlive(agentPid),
    sessions: sessions.map(({id, turns, lastEventId}) =>
      [id, turns.running?.promptId ?? 'idle', lastEventId].join(' '),
    ),
  })

describe('jp serve: against a model', function () {
  this.timeout(soak ? 3_600_000 : 300_000)
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
    trust(scratch, scratch.path)
  })
  afterEach(() => scratch.remove())

  /** Runs one seed over two served folders; then no child of the daemon is left. */
  const runSeed = async (cwds: readonly [string, string], seed: number, flags: ServeFlags = {}): Promise<void> => {
    console.log(`      seed ${seed}`)
    const log: string[] = []
    const trace: Trace = {write: (level, target, text) => void log.push(`${level} ${target} ${text}`)}
    const daemon = await startServing(scratch, {
      workspaces: cwds,
      own: flags.agent === undefined,
      flags: {'max-sessions': '0', ...flags},
      log: trace,
    })
    let pids: ReadonlySet<number> = new Set()
    try {
      const world = {daemon, client: createDaemonClient(daemon), cwds, patienceMs, log}
      pids = await run(world, soak ? 2000 : 200, seed)
    } finally {
      await watched(daemon.stop(), patienceMs, () => `the daemon does not stop:\n${log.slice(-lastTold).join('\n')}`)
    }
    // The number of one that is gone may be a stranger's by now.
    const isOurs = (pid: number): boolean => procStat(pid)?.[1] === String(process.pid)
    assert.deepEqual([...pids].filter(isOurs), [], 'no orphan')
  }

  /** The seeds of a run: five whole ones with JP_SOAK=1, else a short one. */
  const seeds = (from: number): readonly number[] =>
    Array.from({length: soak ? 5 : 1}, (_, round) => firstSeed + from + round)

  it('Q31: 2,000 operations at random over two workspaces agree with the model, answer by answer; no child is left', async () => {
    for (const seed of seeds(0)) {
      await runSeed([scratch.checkout(`a${seed}`, 'aaaaa'), scratch.checkout(`b${seed}`, 'bbbbb')], seed)
    }
  })

  it('Q31, D31: the same over two worktrees of one workspace', async () => {
    for (const seed of seeds(100)) {
      const main = scratch.checkout(`main${seed}`, 'ccccc')
      const worktree = join(scratch.path, `worktree${seed}`)
      git(main, scratch.env, 'init', '-q')
      git(main, scratch.env, 'add', '-A')
      git(main, scratch.env, 'commit', '-qm', 'one')
      git(main, scratch.env, 'worktree', 'add', '-q', worktree)
      await runSeed([main, worktree], seed)
    }
  })

  it('Q31, D19: the same over two workspaces with an agent that is not jp’s', async () => {
    for (const seed of seeds(200)) {
      const cwds = [scratch.checkout(`a${seed}`, 'aaaaa'), scratch.checkout(`b${seed}`, 'bbbbb')] as const
      await runSeed(cwds, seed, {agent: exampleAgent('--store', join(scratch.path, 'store'))})
    }
  })
})
