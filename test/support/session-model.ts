import assert from 'node:assert/strict'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import type {DaemonTestClient} from './daemon-client.js'
import {until} from './processes.js'

/** What should be: which session is live where, and which is stored where. */
export type SessionModel = {readonly live: Map<string, string>; readonly stored: Map<string, string>}

/** What operations are done to. */
export type ModelWorld = {
  readonly daemon: RunningDaemon
  readonly client: DaemonTestClient
  readonly cwds: readonly [string, string]
  /** How long one answer may take. Unit: milliseconds. */
  readonly patienceMs: number
}

/** Whole numbers below a bound, the same ones for a seed. */
export type Random = (below: number) => number

/** One operation: what is done, to which session, and the workspace that the request names. */
export type Operation = {readonly action: Action; readonly id: string; readonly cwd: string}

/** What clients and the system do; what is done often stands here often. */
const actions = [
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
] as const

type Action = (typeof actions)[number]

type Answered = {readonly status: number; readonly body: Readonly<Record<string, unknown>>}

/** No more than so many sessions live at a time. */
const maxLive = 20

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[random(items.length)]
  assert.ok(item !== undefined)
  return item
}

const known = ({live, stored}: SessionModel): readonly string[] => [...new Set([...live.keys(), ...stored.keys()])]

/** Chooses what to do next: mostly to a session that is or was there, at times to one that nobody has heard of. */
export const chooseOperation = (world: ModelWorld, model: SessionModel, random: Random): Operation => {
  const cwd = pick(random, world.cwds)
  const ids = known(model)
  const id =
    ids.length === 0 || random(10) === 0
      ? `00000000-0000-4000-8000-${String(random(1e9)).padStart(12, '0')}`
      : pick(random, ids)
  const action = pick(random, actions)
  // A child is killed less often than sessions come to life in it.
  return {action: action === 'kill' && random(4) !== 0 ? 'list' : action, id, cwd}
}

const expectCode = (answer: Answered, status: number, code: string): void =>
  assert.deepEqual([answer.status, answer.body['code']], [status, code])

/** Does one operation to the daemon and to the model, and compares the answers. */
export const perform = (world: ModelWorld, model: SessionModel, operation: Operation): Promise<void> =>
  performers[operation.action](world, model, operation)

type Performer = (world: ModelWorld, model: SessionModel, operation: Operation) => Promise<void>

const restore: Performer = async ({client}, {live, stored}, {action, id, cwd}) => {
  const answer = await client.ask('POST', `/session/${id}/${action}`, {cwd})
  const owner = live.get(id)
  if (owner !== undefined && owner !== cwd) return expectCode(answer, 409, 'session_workspace_conflict')
  if (owner === undefined && stored.get(id) !== cwd) return expectCode(answer, 404, 'session_not_found')
  const {attached, workspaceCwd, code} = answer.body
  assert.deepEqual([answer.status, code, attached, workspaceCwd], [200, undefined, owner !== undefined, cwd])
  live.set(id, cwd)
}

const performers: Readonly<Record<Action, Performer>> = {
  async create({client}, {live}, {cwd}) {
    if (live.size <= maxLive) live.set(await client.create(cwd), cwd)
  },
  async named({client}, {live, stored}, {id, cwd}) {
    const answer = await client.ask('POST', '/session', {cwd, sessionId: id})
    if (live.has(id) || stored.has(id)) return expectCode(answer, 409, 'session_id_conflict')
    assert.deepEqual([answer.status, answer.body['code'], answer.body['sessionId']], [200, undefined, id])
    live.set(id, cwd)
  },
  async prompt({client}, {live, stored}, {id}) {
    const owner = live.get(id)
    if (owner === undefined) {
      const answer = await client.ask('POST', `/session/${id}/prompt`, {prompt: [{type: 'text', text: 'x'}]})
      return expectCode(answer, 404, 'session_not_found')
    }
    assert.equal(await client.turn(id, 'hello'), 'end_turn')
    stored.set(id, owner)
  },
  load: restore,
  resume: restore,
  async close({client}, {live}, {id}) {
    const answer = await client.ask('DELETE', `/session/${id}`)
    if (live.delete(id)) assert.equal(answer.status, 204)
    else expectCode(answer, 404, 'session_not_found')
  },
  async list({client}, model, {cwd}) {
    const {body} = await client.ask('GET', `/workspaces/${encodeURIComponent(cwd)}/sessions?size=200`)
    const listed = body['sessions'].map(({sessionId}: {sessionId: string}) => sessionId)
    const expected = known(model).filter((one) => (model.live.get(one) ?? model.stored.get(one)) === cwd)
    assert.deepEqual(listed.sort(), [...expected].sort())
  },
  async kill({daemon, patienceMs}, {live}, {cwd}) {
    const bridge = daemon.registry.byCwd(cwd)?.bridge
    if (bridge?.agentPid === undefined) return
    process.kill(bridge.agentPid, 'SIGKILL')
    const isGone = (): boolean => bridge.sessions.length === 0 && bridge.agentPid === undefined
    await until(isGone, 'the sessions of the killed child end', patienceMs)
    for (const [one, owner] of live) if (owner === cwd) live.delete(one)
  },
}
