import assert from 'node:assert/strict'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import type {ServeFlags} from '../../src/daemon/serve-options.js'
import {isProcessAlive} from '../../src/platform/processes.js'
import {exampleAgent} from '../support/daemon.js'
import {createDaemonClient, type DaemonTestClient} from '../support/daemon-client.js'
import {createScratch, git, type Scratch} from '../support/scratch.js'
import {startServing, trust} from '../support/serving.js'

const soak = process.env['JP_SOAK'] === '1'
const firstSeed = Number(process.env['JP_SEED'] ?? 20261130)

const createRandom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What should be: which session is live where, and which is stored where. */
type Model = {readonly live: Map<string, string>; readonly stored: Map<string, string>}

type World = {
  readonly daemon: RunningDaemon
  readonly client: DaemonTestClient
  readonly cwds: readonly [string, string]
  /** Every child that was seen. */
  readonly pids: Set<number>
}

const pick = <Item>(random: (below: number) => number, items: readonly Item[]): Item => {
  const item = items[random(items.length)]
  assert.ok(item !== undefined)
  return item
}

/** Does one thing at random to the daemon and to the model, and compares the answers. */
const step = async (world: World, model: Model, random: (below: number) => number): Promise<string> => {
  const {client, cwds, daemon} = world
  const cwd = pick(random, cwds)
  const known = [...new Set([...model.live.keys(), ...model.stored.keys()])]
  const id =
    known.length === 0 || random(10) === 0
      ? `00000000-0000-4000-8000-${String(random(1e9)).padStart(12, '0')}`
      : pick(random, known)
  const action = pick(random, [
    'create',
    'create',
    'named',
    'prompt',
    'prompt',
    'prompt',
    'load',
    'load',
    'resume',
    'close',
    'close',
    'list',
    'kill',
  ] as const)
  const told = `${action} ${id} in ${cwd}`
  const expectCode = (
    answer: {status: number; body: Readonly<Record<string, unknown>>},
    status: number,
    code: unknown,
  ): void => assert.deepEqual([answer.status, answer.body['code']], [status, code], told)
  switch (action) {
    case 'create': {
      if (model.live.size > 20) break
      model.live.set(await client.create(cwd), cwd)
      break
    }
    case 'named': {
      const answer = await client.ask('POST', '/session', {cwd, sessionId: id})
      if (model.live.has(id) || model.stored.has(id)) expectCode(answer, 409, 'session_id_conflict')
      else {
        expectCode(answer, 200, undefined)
        assert.equal(answer.body['sessionId'], id)
        model.live.set(id, cwd)
      }
      break
    }
    case 'prompt': {
      const owner = model.live.get(id)
      if (owner === undefined) {
        const answer = await client.ask('POST', `/session/${id}/prompt`, {prompt: [{type: 'text', text: 'x'}]})
        expectCode(answer, 404, 'session_not_found')
        break
      }
      assert.equal(await client.turn(id, 'hello'), 'end_turn', told)
      model.stored.set(id, owner)
      break
    }
    case 'load':
    case 'resume': {
      const answer = await client.ask('POST', `/session/${id}/${action}`, {cwd})
      const owner = model.live.get(id)
      if (owner !== undefined && owner !== cwd) expectCode(answer, 409, 'session_workspace_conflict')
      else if (owner === undefined && model.stored.get(id) !== cwd) expectCode(answer, 404, 'session_not_found')
      else {
        expectCode(answer, 200, undefined)
        assert.equal(answer.body['attached'], owner !== undefined, told)
        assert.equal(answer.body['workspaceCwd'], cwd)
        model.live.set(id, cwd)
      }
      break
    }
    case 'close': {
      const answer = await client.ask('DELETE', `/session/${id}`)
      if (model.live.delete(id)) assert.equal(answer.status, 204, told)
      else expectCode(answer, 404, 'session_not_found')
      break
    }
    case 'list': {
      const {body} = await client.ask('GET', `/workspaces/${encodeURIComponent(cwd)}/sessions?size=200`)
      const listed = body['sessions'].map(({sessionId}: {sessionId: string}) => sessionId)
      const expected = known.filter((one) => (model.live.get(one) ?? model.stored.get(one)) === cwd)
      assert.deepEqual(new Set(listed), new Set(expected), told)
      assert.equal(listed.length, expected.length, 'each once')
      break
    }
    case 'kill': {
      if (random(4) !== 0) break
      const bridge = daemon.registry.byCwd(cwd)?.bridge
      if (bridge?.agentPid === undefined) break
      process.kill(bridge.agentPid, 'SIGKILL')
      while (bridge.sessions.length > 0 || bridge.agentPid !== undefined) await pause(2)
      for (const [one, owner] of model.live) if (owner === cwd) model.live.delete(one)
      break
    }
  }
  return told
}

const run = async (world: World, steps: number, seed: number): Promise<void> => {
  const random = createRandom(seed)
  const model: Model = {live: new Map(), stored: new Map()}
  for (let at = 0; at < steps; at++) {
    await step(world, model, random)
    for (const {bridge} of world.daemon.registry.runtimes) {
      if (bridge.agentPid !== undefined) world.pids.add(bridge.agentPid)
    }
  }
  const {body} = await world.client.ask('GET', '/daemon/status')
  assert.deepEqual(body['runtime'].sessions, {active: model.live.size, admissionInFlight: 0, taken: model.live.size})
}

describe('jp serve: against a model', function () {
  this.timeout(soak ? 1_800_000 : 60_000)
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
    trust(scratch, scratch.path)
  })
  afterEach(() => scratch.remove())

  /** Runs one seed over two served folders; then no child of the daemon is left. */
  const runSeed = async (
    workspaces: readonly [string, string],
    seed: number,
    flags: ServeFlags = {},
  ): Promise<void> => {
    console.log(`      seed ${seed}`)
    const daemon = await startServing(scratch, {
      workspaces,
      own: flags.agent === undefined,
      flags: {'max-sessions': '0', ...flags},
    })
    const pids = new Set<number>()
    try {
      await run({daemon, client: createDaemonClient(daemon), cwds: workspaces, pids}, soak ? 2000 : 80, seed)
    } finally {
      await daemon.stop()
    }
    assert.deepEqual([...pids].filter(isProcessAlive), [], 'no orphan')
  }

  /** The seeds of a run: five whole ones with JP_SOAK=1, else a short one. */
  const seeds = (from: number): readonly number[] =>
    Array.from({length: soak ? 5 : 1}, (_, round) => firstSeed + from + round)

  it('Q31: 2,000 operations at random over two workspaces agree with the model, answer by answer; no child is left', async () => {
    for (const seed of seeds(0)) {
      const workspaces = [scratch.checkout(`a${seed}`, 'aaaaa'), scratch.checkout(`b${seed}`, 'bbbbb')] as const
      await runSeed(workspaces, seed)
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
      const workspaces = [scratch.checkout(`a${seed}`, 'aaaaa'), scratch.checkout(`b${seed}`, 'bbbbb')] as const
      await runSeed(workspaces, seed, {agent: exampleAgent('--store', join(scratch.path, 'store'))})
    }
  })
})
