import type {Configuration} from '../config/schema.js'
import type {McpPool} from '../mcp/pool.js'

/** What the pool of a process is made from. */
export type McpPoolDeps = {
  /** `mcp` of the launch configuration. */
  readonly settings: Configuration['mcp']
  /** The version of jp, for the servers. */
  readonly version: string
  /** Something worth a line that is no failure. */
  readonly onNotice: (text: string) => void
}

/**
 * Opens the one pool of MCP servers of a process (S33). Nothing is started before a turn leases; whoever opens it closes
 * it. The client is loaded here, and only here.
 */
export const openMcpPool = async ({settings, version, onNotice}: McpPoolDeps): Promise<McpPool> => {
  const [{createPool}, {startServer}] = await Promise.all([import('../mcp/pool.js'), import('../mcp/start-server.js')])
  return createPool({
    starter: {start: (request, signal) => startServer(request, signal, {version, onNotice})},
    idleMs: settings.idle_timeout_secs * 1000,
    maxInstances: settings.max_instances,
  })
}
