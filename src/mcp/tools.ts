import {JpError} from '../errors/jp-error.js'
import type {McpResult} from './content.js'
import type {Lease} from './pool.js'

/** A tool of a leased server, ready to be called. */
export type McpTool = {
  /** The server that it belongs to. */
  readonly server: string
  /** Its name there. */
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  /**
   * Calls it. A failure of the server is a result for the model to read; rejects with the signal's reason only.
   */
  call(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpResult>
}

/**
 * The tools of all servers of a lease, in the order of the servers.
 * @throws JpError `mcp_exited`, `mcp_failed`; the signal's reason when it is aborted.
 */
export const toolsOf = async (lease: Lease, signal: AbortSignal): Promise<readonly McpTool[]> => {
  const lists = await Promise.all(
    lease.servers.map(async ({name: server, instance}) => {
      const tools = await instance.listTools(signal)
      return tools.map(
        (tool): McpTool => ({
          ...tool,
          server,
          call: async (args, callSignal) => {
            try {
              return await instance.callTool(tool.name, args, callSignal)
            } catch (error) {
              if (error instanceof JpError && !callSignal.aborted) return {content: error.message, isError: true}
              throw error
            }
          },
        }),
      )
    }),
  )
  return lists.flat()
}
