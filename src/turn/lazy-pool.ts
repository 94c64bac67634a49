import type {Configuration} from '../config/schema.js'
import type {McpPool} from '../mcp/pool.js'
import {endLeftServers, type McpPoolDeps, openMcpPool} from './mcp-pool.js'

/** The one pool of MCP servers of a process (S33), opened when a turn first needs one. */
export interface LazyPool {
  /** @param settings `mcp` of the configuration; those of the first turn that needs the pool count. */
  readonly pool: (settings: Configuration['mcp']) => Promise<McpPool>
  /** Ends the servers that a killed jp left over (FR-29), once; opening the pool does it too. */
  readonly endLeft: () => Promise<void>
  /** Ends the servers, when any were ever needed. */
  readonly close: () => Promise<void>
}

/** Creates it; nothing is loaded yet. Whoever creates it closes it. */
export const createLazyPool = (deps: Omit<McpPoolDeps, 'settings'>): LazyPool => {
  let opened: Promise<McpPool> | undefined
  let left: Promise<void> | undefined
  const endLeft = (): Promise<void> => (left ??= endLeftServers(deps))
  const open = async (settings: Configuration['mcp']): Promise<McpPool> => {
    await endLeft()
    return openMcpPool({...deps, settings})
  }
  return {
    endLeft,
    pool: (settings) => (opened ??= open(settings)),
    close: async () => (await opened)?.close(),
  }
}
