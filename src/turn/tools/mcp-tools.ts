import type {Configuration} from '../../config/schema.js'
import {JpError} from '../../errors/jp-error.js'
import type {Lease, McpPool} from '../../mcp/pool.js'
import type {ServerRequest} from '../../mcp/server-settings.js'
import {type McpTool, toolsOf} from '../../mcp/tools.js'
import type {Tool} from '../tool.js'
import type {BeltTool} from './belt-deps.js'
import type {ToolPlace} from './local-tool.js'
import {descriptionOf, type ToolSettings, timeLimitMs} from './tool-settings.js'

/** A tool of a server that the configuration enables. `tool` is its name there. */
export type WantedMcpTool = {
  readonly name: string
  readonly settings: ToolSettings
  readonly server: string
  readonly tool: string
}

/** What MCP tools are opened with. */
export type McpAccess = {
  /** `providers.mcp` of the configuration. */
  readonly servers: Configuration['providers']['mcp']
  /** Servers that the frontend brings for its user: each of their tools is on. */
  readonly brought: readonly ServerRequest[]
  /** The settings of a tool that no file names. */
  readonly settingsOf: (name: string) => ToolSettings
  /** The one pool of the process (S33), made when it is first needed; undefined where there is none. */
  readonly pool: (() => Promise<McpPool>) | undefined
  readonly place: ToolPlace
  /** Ends the wait for a server. */
  readonly signal: AbortSignal
  readonly warn: (text: string) => void
  /** Told while the turn waits for servers. */
  readonly onProgress: (text: string) => void
}

/** MCP tools with the lease that they live on. */
export type OpenedMcpTools = {readonly tools: readonly BeltTool[]; release(): void}

/**
 * Leases the servers of the tools that are on, all or none (S33), and gives the tools. A tool that its server does not have,
 * and an optional server that does not start, are told and left out.
 * @throws JpError `config_invalid` for a server that is not configured, and what leasing throws.
 */
export const openMcpTools = async (wanted: readonly WantedMcpTool[], access: McpAccess): Promise<OpenedMcpTools> => {
  const configured = configuredServers(wanted, access)
  const {brought, signal} = access
  const requests = [...configured, ...brought]
  if (requests.length === 0) return {tools: [], release: () => undefined}
  if (access.pool === undefined) {
    access.warn(
      `MCP servers can't be used here, so these tools are left out: ${wanted.map(({name}) => name).join(', ')}.`,
    )
    return {tools: [], release: () => undefined}
  }
  const pool = await access.pool()
  const onProgress = ({state, names: which}: {state: string; names: readonly string[]}): void =>
    access.onProgress(
      state === 'waiting' ? 'Waiting for MCP servers that others use …' : `Starting ${which.join(', ')} …`,
    )
  const lease = await pool.lease(requests, {signal, onProgress})
  try {
    for (const {name, error} of lease.skipped) access.warn(`The MCP server ${name} was left out: ${error.message}`)
    const there = await toolsOf(lease, signal)
    const named = match(wanted, there, {lease, warn: access.warn})
    return {tools: [...named, ...broughtTools(there, named, access)], release: () => lease.release()}
  } catch (error) {
    lease.release()
    throw error
  }
}

/** The servers of the tools that are on. @throws JpError `config_invalid` for one that is not configured. */
const configuredServers = (wanted: readonly WantedMcpTool[], {servers, place}: McpAccess): readonly ServerRequest[] =>
  [...new Set(wanted.map(({server}) => server))].map((name) => {
    const settings = Object.hasOwn(servers, name) ? servers[name] : undefined
    if (settings !== undefined) return {name, settings, spawnDir: place.root, env: place.env}
    throw new JpError('config_invalid', `There is no MCP server "${name}", and tools name it.`, {
      hint: `Configure it: jp config set providers.mcp.${name}.command=…`,
    })
  })

/** Every tool of the servers that the frontend brought, each under a name that no other tool has. */
const broughtTools = (
  there: readonly McpTool[],
  named: readonly BeltTool[],
  {brought, settingsOf}: McpAccess,
): readonly BeltTool[] => {
  const servers = new Set(brought.map(({name}) => name))
  const taken = new Set(named.map(({tool}) => tool.name))
  return there
    .filter(({server}) => servers.has(server))
    .map((tool) => {
      const name = taken.has(tool.name) ? callableName(`${tool.server}_${tool.name}`) : tool.name
      taken.add(name)
      return beltTool(name, settingsOf(tool.name), tool)
    })
}

/** Providers take letters, digits, `_` and `-` in the name of a tool. */
const callableName = (text: string): string => text.replaceAll(/[^\w-]+/g, '_').slice(0, 64)

const match = (
  wanted: readonly WantedMcpTool[],
  there: readonly McpTool[],
  {lease, warn}: {readonly lease: Lease; readonly warn: (text: string) => void},
): readonly BeltTool[] => {
  const skipped = new Set(lease.skipped.map(({name}) => name))
  return wanted.flatMap(({name, settings, server, tool}) => {
    const found = there.find((candidate) => candidate.server === server && candidate.name === tool)
    if (found !== undefined) return [beltTool(name, settings, found)]
    if (!skipped.has(server)) warn(`The MCP server ${server} has no tool "${tool}", so ${name} is left out.`)
    return []
  })
}

const beltTool = (name: string, settings: ToolSettings, tool: McpTool): BeltTool => ({
  settings,
  definition: `mcp.${tool.server}.${tool.name}`,
  tool: toTool(name, settings, tool),
})

const toTool = (name: string, settings: ToolSettings, there: McpTool): Tool => ({
  name,
  description: descriptionOf(settings) || there.description,
  // What the server says of its tool; a model's arguments are checked by the server itself.
  inputSchema: {...there.inputSchema, type: 'object'},
  async run({arguments: args}, signal) {
    const limitMs = timeLimitMs(settings)
    const limit = new AbortController()
    const timer = limitMs === 0 ? undefined : setTimeout(() => limit.abort(), limitMs)
    try {
      const {content, isError} = await there.call(args, AbortSignal.any([signal, limit.signal]))
      return {type: isError ? 'error' : 'success', content}
    } catch (error) {
      if (signal.aborted) return {type: 'error', content: 'The call was cancelled.'}
      if (limit.signal.aborted)
        return {type: 'error', content: `The tool ran longer than ${limitMs / 1000} s; its call was cancelled.`}
      throw error
    } finally {
      clearTimeout(timer)
    }
  },
})
