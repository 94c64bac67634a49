import type {McpServer} from '@agentclientprotocol/sdk'
import {JpError} from '../errors/jp-error.js'
import type {ServerRequest} from '../mcp/server-settings.js'

/** Where the servers of a client run. */
export type ServersPlace = {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Names that the configuration gives to servers of its own. */
  readonly configured: readonly string[]
}

/** @throws JpError `request_invalid` for a kind of server that was not offered. */
export const assertKnownServers = (servers: readonly McpServer[]): void => {
  const sse = servers.find((server) => 'type' in server && server.type === 'sse')
  if (sse === undefined) return
  throw new JpError('request_invalid', `jp does not speak SSE with MCP servers: ${sse.name}.`, {
    hint: 'Give its address for streamable HTTP, or the program to start.',
  })
}

/**
 * The MCP servers that a client passes, as the pool starts them: in the checkout, each optional, since a prompt goes on
 * without what an editor has misconfigured. Values that may be secret travel as variables, so that no log tells them.
 */
export const clientServers = (servers: readonly McpServer[], place: ServersPlace): ServerRequest[] =>
  servers.flatMap((server): ServerRequest[] => {
    const shared = {name: nameOf(server.name, place), spawnDir: place.root}
    if ('command' in server) {
      const given = Object.fromEntries(server.env.map(({name, value}) => [name, value]))
      const {command, args} = server
      const settings = {type: 'stdio', command, arguments: args, variables: Object.keys(given), optional: true} as const
      return [{...shared, settings, env: {...place.env, ...given}}]
    }
    if (server.type !== 'http') return []
    const headers = server.headers.map(({name, value}, index) => ({name, value, holder: `JP_MCP_HEADER_${index}`}))
    return [
      {
        ...shared,
        settings: {
          type: 'http',
          url: server.url,
          header_envs: Object.fromEntries(headers.map(({name, holder}) => [name, holder])),
          optional: true,
        },
        env: {...place.env, ...Object.fromEntries(headers.map(({holder, value}) => [holder, value]))},
      },
    ]
  })

/** A name of the configuration stays the configuration's. */
const nameOf = (name: string, {configured}: ServersPlace): string =>
  configured.includes(name) ? `${name} (editor)` : name
