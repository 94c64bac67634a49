import {JpError} from '../errors/jp-error.js'
import type {McpInstance} from './instance.js'
import {serverKey} from './server-key.js'
import type {ServerRequest} from './server-settings.js'
import {type Claimed, createSlots, type PoolDeps, type Slot} from './slots.js'

/** How a lease is waited for. */
export type LeaseOptions = {
  readonly signal: AbortSignal
  /** `waiting`: all instances are leased by others, and the cap is reached. `starting`: these servers are started. */
  readonly onProgress?: ((progress: {state: 'waiting' | 'starting'; names: readonly string[]}) => void) | undefined
}

/** A turn's hold on its servers. */
export interface Lease {
  readonly servers: readonly {readonly name: string; readonly instance: McpInstance}[]
  /** Optional servers that did not start, with why. */
  readonly skipped: readonly {readonly name: string; readonly error: JpError}[]
  /** Gives all of them back. Calling it again changes nothing. */
  release(): void
}

/** The running MCP servers of a process (S33). */
export interface McpPool {
  /**
   * Leases all of these servers, or none: instances that run with the same key are shared, others are started. At the cap
   * the longest-idle unleased one is stopped; when all are leased the turn waits, in the order of asking.
   * @throws JpError `mcp_start_failed` and its like for a server that is not optional, `mcp_limit` when there is not room
   * for them even alone; the signal's reason when it is aborted.
   */
  lease(requests: readonly ServerRequest[], options: LeaseOptions): Promise<Lease>
  /** Ends every instance. Whoever waits is turned away with `interrupted`. */
  close(): Promise<void>
}

type Waiting = {
  readonly wanted: ReadonlyMap<string, ServerRequest>
  take(taken: readonly Claimed[]): void
  refuse(reason: unknown): void
}

/** Creates an empty pool. Nothing is started before a lease asks for it. */
export const createPool = (deps: PoolDeps): McpPool => {
  const queue: Waiting[] = []
  // First come, first served: a turn that wants much is not starved by those that want little.
  const serve = (): void => {
    for (let head = queue[0]; head !== undefined; head = queue[0]) {
      const taken = slots.claim(head.wanted)
      if (taken === undefined) return
      queue.shift()
      head.take(taken)
    }
  }
  const slots = createSlots(deps, serve)

  const claim = (wanted: Waiting['wanted'], options: LeaseOptions): Promise<readonly Claimed[]> =>
    new Promise((take, reject) => {
      const {signal} = options
      const leave = (): void => {
        const at = queue.indexOf(waiting)
        if (at !== -1) queue.splice(at, 1)
        reject(signal.reason)
        serve()
      }
      const settled = <Value>(settle: (value: Value) => void) => {
        return (value: Value): void => {
          signal.removeEventListener('abort', leave)
          settle(value)
        }
      }
      const waiting: Waiting = {wanted, take: settled(take), refuse: settled(reject)}
      signal.addEventListener('abort', leave, {once: true})
      queue.push(waiting)
      serve()
      if (queue.includes(waiting)) options.onProgress?.({state: 'waiting', names: namesOf(wanted)})
    })

  return {
    async lease(requests, options) {
      options.signal.throwIfAborted()
      const wanted = new Map(requests.map((request) => [serverKey(request), request]))
      if (wanted.size > deps.maxInstances) throw tooMany(wanted.size, deps.maxInstances)
      const taken = await claim(wanted, options)
      const starting = taken.filter(({slot}) => slot.instance === undefined)
      if (starting.length > 0)
        options.onProgress?.({state: 'starting', names: starting.map(({request}) => request.name)})
      return gather(taken, options.signal, (slot) => slots.release(slot))
    },
    async close() {
      for (const waiting of queue.splice(0)) waiting.refuse(new JpError('interrupted', 'The MCP servers are ended.'))
      await slots.close()
    },
  }
}

/** Waits for all, and gives all back as soon as one that must be there is not. */
const gather = async (
  taken: readonly Claimed[],
  signal: AbortSignal,
  release: (slot: Slot) => void,
): Promise<Lease> => {
  const held = new Set(taken.map(({slot}) => slot))
  const giveBack = (slot: Slot): void => {
    if (held.delete(slot)) release(slot)
  }
  const releaseAll = (): void => held.forEach(giveBack)
  const skipped: {name: string; error: JpError}[] = []
  const wait = async ({request: {name, settings}, slot}: Claimed) => {
    try {
      return [{name, instance: await orAborted(slot.started, signal)}]
    } catch (error) {
      if (settings.optional !== true || !(error instanceof JpError)) throw error
      skipped.push({name, error})
      giveBack(slot)
      return []
    }
  }
  try {
    const servers = (await Promise.all(taken.map(wait))).flat()
    return {servers, skipped, release: releaseAll}
  } catch (error) {
    releaseAll()
    throw error
  }
}

const orAborted = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, {once: true})
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })

const namesOf = (wanted: Waiting['wanted']): string[] => [...wanted.values()].map(({name}) => name)

const tooMany = (wanted: number, max: number): JpError =>
  new JpError('mcp_limit', `The turn wants ${wanted} MCP servers, and no more than ${max} may run.`, {
    hint: `jp config set mcp.max_instances=${wanted}`,
  })
