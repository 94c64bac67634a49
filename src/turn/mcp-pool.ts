import {join} from 'node:path'
import type {Configuration} from '../config/schema.js'
import {createServerRecord, type ServerRecord} from '../mcp/leftovers.js'
import type {McpPool} from '../mcp/pool.js'

/** Whose servers they are. */
export type McpHost = {
  /** Where running servers are noted: the user's state (W2). */
  readonly directories: {readonly state: string}
  readonly environment: {readonly pid: number}
  /** Something worth a line that is no failure. */
  readonly onNotice: (text: string) => void
}

/** What the pool of a process is made from. */
export type McpPoolDeps = McpHost & {
  /** `mcp` of the launch configuration. */
  readonly settings: Configuration['mcp']
  /** The version of jp, for the servers. */
  readonly version: string
}

/** The record of the servers that run, of this jp and others of the user (FR-29). */
export const serverRecord = ({directories, environment}: Omit<McpHost, 'onNotice'>): ServerRecord =>
  createServerRecord(join(directories.state, 'mcp'), environment.pid)

/** Ends the servers that outlived a jp that was killed, and tells of each (FR-29). Cheap where there are none. */
export const endLeftServers = async (host: McpHost): Promise<void> => {
  for (const {name, pid} of await serverRecord(host).endLeftovers()) {
    host.onNotice(`The MCP server "${name}" (pid ${pid}) had outlived a jp that was killed; it was ended.`)
  }
}

/**
 * Opens the one pool of MCP servers of a process (S33). Nothing is started before a turn leases; whoever opens it closes
 * it. The client is loaded here, and only here.
 */
export const openMcpPool = async (deps: McpPoolDeps): Promise<McpPool> => {
  const [{createPool}, {startServer}] = await Promise.all([import('../mcp/pool.js'), import('../mcp/start-server.js')])
  const {settings, version, onNotice} = deps
  const record = serverRecord(deps)
  return createPool({
    starter: {start: (request, signal) => startServer(request, signal, {version, onNotice, record})},
    idleMs: settings.idle_timeout_secs * 1000,
    maxInstances: settings.max_instances,
  })
}
