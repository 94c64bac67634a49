import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import {isProcessAlive} from '../../src/platform/processes.js'
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
  for (let at = 0; at < steps; at++) await step(world, model, random)
  const {body} = await world.client.ask('GET', '/daemon/status')
  assert.deepEqual(body['runtime'].sessions, {active: model.live.size, admissionInFlight: 0, taken: model.live.size})
}

describe('jp serve: against a model', function () {
  this.timeout(soak ? 1_800_000 : 60_000)
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  it('Q31: 2,000 operations at random over two workspaces agree with the model, answer by answer; no child is left', async () => {
    trust(scratch, scratch.path)
    for (let round = 0; round < (soak ? 5 : 1); round++) {
      const seed = firstSeed + round
      console.log(`      seed ${seed}`)
      const workspaces = ['a', 'b'].map((name) => scratch.checkout(`${round}${name}`, `${name}aaa${round}`))
      const daemon = await startServing(scratch, {workspaces, flags: {'max-sessions': '0'}})
      const cwds = [workspaces[0] ?? '', workspaces[1] ?? ''] as const
      try {
        await run({daemon, client: createDaemonClient(daemon), cwds}, soak ? 2000 : 200, seed)
      } finally {
        await daemon.stop()
      }
      const pids = readFileSync(join(scratch.path, 'store', 'pids'), 'utf8')
        .trim()
        .split('\n')
      assert.deepEqual(
        pids.map((line) => Number(line.split(' ')[0])).filter((pid) => isProcessAlive(pid)),
        [],
      )
    }
  })

  it('Q31, D31: the same over two worktrees of one workspace, with jp’s own agent', async () => {
    const a = scratch.checkout('a', 'aaaaa')
    git(a, scratch.env, 'init', '-q')
    git(a, scratch.env, 'add', '-A')
    git(a, scratch.env, 'commit', '-qm', 'one')
    git(a, scratch.env, 'worktree', 'add', '-q', join(scratch.path, 'b'))
    trust(scratch, scratch.path)
    const seed = firstSeed + 100
    console.log(`      seed ${seed}`)
    const daemon = await startServing(scratch, {workspaces: ['a', 'b'], own: true, flags: {'max-sessions': '0'}})
    const cwds = [a, join(scratch.path, 'b')] as const
    try {
      await run({daemon, client: createDaemonClient(daemon), cwds}, soak ? 2000 : 80, seed)
    } finally {
      await daemon.stop()
    }
  })
})
