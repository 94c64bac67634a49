import type {CallToolResult, Client} from '@modelcontextprotocol/client'
import type {JpError} from '../errors/jp-error.js'
import {type McpResult, resultText} from './content.js'
import type {Peer} from './peer.js'
import {serverError} from './server-error.js'

/** A tool of a server. */
export type McpToolDefinition = {
  readonly name: string
  readonly description: string
  /** A JSON schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** One content of a resource: text, or bytes in base64. */
export type McpResource = {readonly uri: string; readonly mimeType: string | undefined} & (
  | {readonly text: string}
  | {readonly blob: string}
)

/**
 * A running server. Each method rejects with the signal's reason when it is aborted; otherwise with `mcp_exited` when the
 * server is gone, and `mcp_failed` when it answers with an error or with what is no answer.
 */
export interface McpInstance {
  listTools(signal: AbortSignal): Promise<readonly McpToolDefinition[]>
  /** A failure that the server tells of, as an error of the protocol too, is a result. */
  callTool(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpResult>
  readResource(uri: string, signal: AbortSignal): Promise<readonly McpResource[]>
  /** Settles when the server is gone, whoever ended it; never rejects. */
  readonly ended: Promise<void>
  /** Ends the server and its whole process group. */
  stop(): Promise<void>
}

/** What `setTimeout` can wait. A tool may take its time; the turn's signal ends it. Unit: milliseconds. */
const longestTimerMs = 2 ** 31 - 1

/** Wraps a connected client. */
export const createInstance = (client: Client, peer: Peer): McpInstance => {
  const options = (signal: AbortSignal) => ({signal, timeout: longestTimerMs})
  const ask = async <Answer>(what: string, signal: AbortSignal, request: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await request()
    } catch (error) {
      signal.throwIfAborted()
      throw askFailure(error, what, peer)
    }
  }
  return {
    ended: peer.ended,
    stop: () => peer.stop(),
    listTools: (signal) =>
      ask('tools/list', signal, async () => {
        if (client.getServerCapabilities()?.tools === undefined) return []
        const {tools} = await client.listTools(undefined, options(signal))
        return tools.map(({name, description = '', inputSchema}) => ({name, description, inputSchema}))
      }),
    callTool: (name, args, signal) =>
      ask(`the tool ${name}`, signal, async () => {
        try {
          const result: CallToolResult = await client.callTool({name, arguments: {...args}}, options(signal))
          return resultText(result)
        } catch (error) {
          if (isProtocolError(error)) return {content: error.message, isError: true}
          throw error
        }
      }),
    readResource: (uri, signal) =>
      ask(`the resource ${uri}`, signal, async () => {
        const {contents} = await client.readResource({uri}, options(signal))
        return contents.map((content) => ({
          uri: content.uri,
          mimeType: content.mimeType,
          ...('text' in content ? {text: content.text} : {blob: content.blob}),
        }))
      }),
  }
}

/** An error that the server sent: a code of JSON-RPC, where the package's own errors have words. */
const isProtocolError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'number'

const askFailure = (error: unknown, what: string, peer: Peer): JpError => {
  const reason = error instanceof Error ? error.message : String(error)
  const how = peer.howItEnded()
  if (how !== undefined) {
    return serverError('mcp_exited', peer.name, {
      says: `${how} before it answered ${what}`,
      stderr: peer.stderr(),
      cause: error,
    })
  }
  if (isProtocolError(error)) {
    return serverError('mcp_failed', peer.name, {says: `refused ${what}: ${peer.redact(reason)}`, cause: error})
  }
  peer.doubt()
  return serverError('mcp_failed', peer.name, {
    says: `did not answer ${what}: ${peer.redact(reason)}`,
    stderr: peer.stderr(),
    cause: error,
  })
}
