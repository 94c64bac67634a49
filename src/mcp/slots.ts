import type {McpInstance} from './instance.js'
import type {ServerRequest} from './server-settings.js'

/** How a pool starts what it leases. */
export interface ServerStarter {
  start(request: ServerRequest, signal: AbortSignal): Promise<McpInstance>
}

/** What a pool is made of. */
export type PoolDeps = {
  readonly starter: ServerStarter
  /** `mcp.idle_timeout_secs`. Unit: milliseconds. */
  readonly idleMs: number
  /** `mcp.max_instances`. */
  readonly maxInstances: number
}

/** A place for one instance: starting, or running. */
export type Slot = {
  readonly key: string
  readonly request: ServerRequest
  readonly started: Promise<McpInstance>
  /** Undefined while it is starting. */
  instance: McpInstance | undefined
  leases: number
  /** Grows with each slot that falls idle: the smallest is the longest idle. */
  idleRank: number
  idleTimer: NodeJS.Timeout | undefined
  readonly startup: AbortController
}

/** A slot that is leased, for one who asked. Whether it may be missing is the asker's own word. */
export type Claimed = {readonly request: ServerRequest; readonly slot: Slot}

/** The places of a pool: at most `maxInstances`, one a key. */
export interface Slots {
  /** Takes a lease on each, making room as needed; undefined, with nothing changed, when there is not enough. */
  claim(wanted: ReadonlyMap<string, ServerRequest>): readonly Claimed[] | undefined
  release(slot: Slot): void
  /** Ends all. Settles when they are gone. */
  close(): Promise<void>
}

/** Creates the places. `onRoom` is called whenever a waiting claim may succeed. */
export const createSlots = (deps: PoolDeps, onRoom: () => void): Slots => {
  const slots = new Map<string, Slot>()
  const stopping = new Set<Promise<void>>()
  let idleRank = 0
  let closed = false

  const forget = (slot: Slot): void => {
    clearTimeout(slot.idleTimer)
    if (slots.get(slot.key) === slot) slots.delete(slot.key)
  }

  const stop = (slot: Slot): void => {
    forget(slot)
    slot.startup.abort(new DOMException('The server is not wanted any more.', 'AbortError'))
    const gone = slot.started
      .then((instance) => instance.stop())
      .catch(() => undefined)
      .finally(() => stopping.delete(gone))
    stopping.add(gone)
  }

  const rest = (slot: Slot): void => {
    slot.idleRank = idleRank++
    slot.idleTimer = setTimeout(() => {
      stop(slot)
      onRoom()
    }, deps.idleMs)
    // An idle server does not keep the process: whoever owns the pool closes it.
    slot.idleTimer.unref()
  }

  const start = async (request: ServerRequest, startup: AbortController): Promise<McpInstance> => {
    // Never more than the cap at once: what makes room must be gone first.
    if (slots.size + stopping.size >= deps.maxInstances) await Promise.all(stopping)
    return deps.starter.start(request, startup.signal)
  }

  const open = (key: string, request: ServerRequest): Slot => {
    const startup = new AbortController()
    const started = start(request, startup)
    const slot: Slot = {
      key,
      request,
      started,
      startup,
      instance: undefined,
      leases: 0,
      idleRank: 0,
      idleTimer: undefined,
    }
    slots.set(key, slot)
    const lost = (): void => {
      forget(slot)
      // What is left of it, a connection or a grandchild, goes with its last lease.
      if (slot.leases === 0) stop(slot)
      onRoom()
    }
    started.then((instance) => {
      slot.instance = instance
      return instance.ended.then(lost)
    }, lost)
    return slot
  }

  return {
    claim(wanted) {
      if (closed) return undefined
      const missing = [...wanted].filter(([key]) => !slots.has(key))
      const idle = [...slots.values()].filter((slot) => slot.leases === 0 && !wanted.has(slot.key))
      const excess = slots.size + missing.length - deps.maxInstances
      if (excess > idle.length) return undefined
      idle.sort((left, right) => left.idleRank - right.idleRank)
      for (const slot of idle.slice(0, Math.max(0, excess))) stop(slot)
      return [...wanted].map(([key, request]) => {
        const slot = slots.get(key) ?? open(key, request)
        clearTimeout(slot.idleTimer)
        slot.leases += 1
        return {request, slot}
      })
    },
    release(slot) {
      slot.leases -= 1
      if (slot.leases > 0) return
      if (slot.instance === undefined || slots.get(slot.key) !== slot) stop(slot)
      else rest(slot)
      onRoom()
    },
    async close() {
      closed = true
      for (const slot of slots.values()) stop(slot)
      await Promise.all(stopping)
    },
  }
}
