import assert from 'node:assert/strict'
import {JpError} from '../../../src/errors/jp-error.js'
import type {McpInstance} from '../../../src/mcp/instance.js'
import {createPool, type Lease, type LeaseOptions, type McpPool} from '../../../src/mcp/pool.js'
import type {McpServerSettings, ServerRequest} from '../../../src/mcp/server-settings.js'

/** A server that is only a record of what was done to it. */
type Fake = {
  readonly request: ServerRequest
  state: 'starting' | 'running' | 'stopped'
  run(): void
  fail(error: Error): void
  die(): void
}

const createFakes = (options: {manual?: boolean} = {}) => {
  const all: Fake[] = []
  let most = 0
  const start = (request: ServerRequest, signal: AbortSignal): Promise<McpInstance> =>
    new Promise((resolve, reject) => {
      const ended = Promise.withResolvers<void>()
      const stopped = (): void => {
        fake.state = 'stopped'
        ended.resolve()
      }
      const instance: McpInstance = {
        listTools: () => Promise.resolve([]),
        callTool: () => Promise.resolve({content: '', isError: false}),
        readResource: () => Promise.resolve([]),
        ended: ended.promise,
        stop: async () => {
          await Promise.resolve()
          stopped()
        },
      }
      const fake: Fake = {
        request,
        state: 'starting',
        run: () => {
          fake.state = 'running'
          resolve(instance)
        },
        fail: (error) => {
          fake.state = 'stopped'
          reject(error)
        },
        die: stopped,
      }
      signal.addEventListener('abort', () => fake.state === 'starting' && fake.fail(signal.reason as Error))
      all.push(fake)
      most = Math.max(most, all.filter(({state}) => state !== 'stopped').length)
      if (options.manual !== true) fake.run()
    })
  return {
    start,
    all,
    running: (): string[] => all.filter(({state}) => state !== 'stopped').map(({request}) => request.name),
    get most() {
      return most
    },
  }
}

const server = (name: string, more: Partial<ServerRequest> & {settings?: McpServerSettings} = {}): ServerRequest => ({
  name,
  settings: {type: 'stdio', command: name},
  spawnDir: '/one',
  env: {PATH: '/bin'},
  ...more,
})

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the pool of MCP servers', () => {
  let fakes: ReturnType<typeof createFakes>
  let pool: McpPool
  const make = (options: {maxInstances?: number; idleMs?: number; manual?: boolean} = {}): void => {
    fakes = createFakes(options)
    pool = createPool({
      starter: {start: fakes.start},
      idleMs: options.idleMs ?? 60_000,
      maxInstances: options.maxInstances ?? 32,
    })
  }
  const lease = (names: readonly (string | ServerRequest)[], options: Partial<LeaseOptions> = {}): Promise<Lease> =>
    pool.lease(
      names.map((name) => (typeof name === 'string' ? server(name) : name)),
      {signal: new AbortController().signal, ...options},
    )
  afterEach(() => pool.close())

  it('S33: thirty leases of one key share one instance', async () => {
    make()
    const leases = await Promise.all(Array.from({length: 30}, () => lease(['a'])))
    assert.equal(new Set(leases.map(({servers}) => servers[0]?.instance)).size, 1)
    for (const held of leases) held.release()
    await lease(['a'])
    assert.equal(fakes.all.length, 1)
  })

  it('S16, S33: another directory, configuration or token is another instance; what does not start it is not', async () => {
    make()
    const settings: McpServerSettings = {type: 'stdio', command: 'a', variables: ['T']}
    await lease(['a'])
    await lease([server('a', {spawnDir: '/two'})])
    await lease([server('a', {settings: {type: 'stdio', command: 'a', arguments: ['x']}})])
    await lease([server('a', {settings, env: {PATH: '/bin', T: 'one'}})])
    await lease([server('a', {settings, env: {PATH: '/bin', T: 'two'}})])
    assert.equal(fakes.all.length, 5)
    await lease([
      server('a', {settings: {command: 'a', type: 'stdio', optional: true}, env: {PATH: '/bin', OTHER: 'x'}}),
    ])
    assert.equal(fakes.all.length, 5)
  })

  it('S33: an instance that nobody leases stops after the idle time, and one that is leased again does not', async () => {
    make({idleMs: 20})
    const [first, second] = [await lease(['a', 'b']), await lease(['b'])]
    first.release()
    first.release()
    await new Promise((resolve) => setTimeout(resolve, 60)) // The idle time is the case.
    assert.deepEqual(fakes.running(), ['b'])
    second.release()
    const again = await lease(['b'])
    await new Promise((resolve) => setTimeout(resolve, 60))
    assert.deepEqual(fakes.running(), ['b'])
    again.release()
  })

  it('S33: at the cap the longest-idle one makes room, and there are never more than the cap', async () => {
    make({maxInstances: 2})
    for (const name of ['a', 'b']) (await lease([name])).release()
    ;(await lease(['a'])).release()
    const held = await lease(['c'])
    assert.deepEqual(fakes.running(), ['a', 'c'])
    held.release()
    await lease(['d', 'e'])
    assert.deepEqual(fakes.running(), ['d', 'e'])
    assert.equal(fakes.most, 2)
  })

  it('S33: two turns that want two servers each at a cap of two both finish; the one that waits says so', async () => {
    make({maxInstances: 2})
    const progress: unknown[] = []
    const first = await lease(['a', 'b'])
    let second: Lease | undefined
    const waiting = lease(['c', 'd'], {onProgress: (step) => progress.push(step)}).then((held) => (second = held))
    await settled()
    assert.equal(second, undefined)
    assert.deepEqual(progress, [{state: 'waiting', names: ['c', 'd']}])
    first.release()
    await waiting
    assert.deepEqual(fakes.running(), ['c', 'd'])
    assert.deepEqual(progress.at(-1), {state: 'starting', names: ['c', 'd']})
    assert.equal(fakes.most, 2)
  })

  it('S33: a turn takes all or none: half of what it wants stays free for others', async () => {
    make({maxInstances: 2})
    const first = await lease(['a'])
    const controller = new AbortController()
    const waiting = lease(['b', 'c'], {signal: controller.signal})
    await settled()
    assert.deepEqual(fakes.running(), ['a'])
    controller.abort('enough')
    await assert.rejects(waiting, (reason) => reason === 'enough')
    await lease(['d'])
    assert.deepEqual(fakes.running(), ['a', 'd'])
    first.release()
  })

  it('S33: who waits is served in the order of asking, and who gives up makes way', async () => {
    make({maxInstances: 1})
    const first = await lease(['a'])
    const order: string[] = []
    const controller = new AbortController()
    const gone = lease(['b'], {signal: controller.signal}).catch(() => order.push('b gave up'))
    const turns = ['c', 'd'].map((name) =>
      lease([name]).then((held) => {
        order.push(name)
        held.release()
      }),
    )
    controller.abort()
    first.release()
    await Promise.all([gone, ...turns])
    assert.deepEqual(order, ['b gave up', 'c', 'd'])
  })

  it('S33: more servers than the cap can never be leased, and that is told at once', async () => {
    make({maxInstances: 1})
    await assert.rejects(lease(['a', 'b']), {
      code: 'mcp_limit',
      message: 'The turn wants 2 MCP servers, and no more than 1 may run.',
      hint: 'jp config set mcp.max_instances=2',
    })
  })

  it('FR-31: one that does not start fails the turn, its others are given back, and the next turn tries anew', async () => {
    make({manual: true})
    const waiting = lease(['a', 'b'])
    await settled()
    fakes.all[0]?.run()
    fakes.all[1]?.fail(new JpError('mcp_start_failed', 'no'))
    await assert.rejects(waiting, {code: 'mcp_start_failed'})
    const again = lease(['a', 'b'])
    await settled()
    assert.deepEqual(
      fakes.all.map(({request, state}) => [request.name, state]),
      [
        ['a', 'running'],
        ['b', 'stopped'],
        ['b', 'starting'],
      ],
    )
    fakes.all[2]?.run()
    assert.equal((await again).servers.length, 2)
  })

  it('S33: an optional one that does not start is passed over', async () => {
    make({manual: true})
    const waiting = lease([server('a', {settings: {type: 'stdio', command: 'a', optional: true}}), 'b'])
    await settled()
    fakes.all[0]?.fail(new JpError('mcp_start_failed', 'no'))
    fakes.all[1]?.run()
    const held = await waiting
    assert.deepEqual(
      held.servers.map(({name}) => name),
      ['b'],
    )
    assert.deepEqual(
      held.skipped.map(({name, error}) => [name, error.code]),
      [['a', 'mcp_start_failed']],
    )
  })

  it('S33: a turn that is stopped while its server starts stops it, unless another one waits for it', async () => {
    make({manual: true})
    const [one, two] = [new AbortController(), new AbortController()]
    const first = lease(['a'], {signal: one.signal})
    const second = lease(['a'], {signal: two.signal})
    await settled()
    one.abort('enough')
    await assert.rejects(first, (reason) => reason === 'enough')
    assert.deepEqual(fakes.running(), ['a'])
    two.abort('enough')
    await assert.rejects(second, (reason) => reason === 'enough')
    await settled()
    assert.deepEqual(fakes.running(), [])
  })

  it('FR-31: one that died is started anew for the next turn', async () => {
    make()
    const held = await lease(['a'])
    fakes.all[0]?.die()
    await settled()
    await lease(['a'])
    assert.equal(fakes.all.length, 2)
    held.release()
    assert.deepEqual(fakes.running(), ['a'])
  })

  it('Q28: closing ends all, starting ones too, and turns away who waits', async () => {
    make({maxInstances: 1, manual: true})
    const starting = lease(['a'])
    const waiting = lease(['b'])
    await settled()
    const ends = [assert.rejects(starting), assert.rejects(waiting, {code: 'interrupted'})]
    await pool.close()
    await Promise.all(ends)
    assert.deepEqual(fakes.running(), [])
  })
})
