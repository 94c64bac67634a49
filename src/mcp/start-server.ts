import type {Client} from '@modelcontextprotocol/client'
import {JpError} from '../errors/jp-error.js'
import {createInstance, type McpInstance} from './instance.js'
import {openPeer, type Peer, type PeerDeps} from './peer.js'
import {serverError} from './server-error.js'
import type {ServerRequest} from './server-settings.js'

const defaultStartupSecs = 60

/**
 * Starts a server and greets it. When this rejects, nothing of it is left running.
 * @throws JpError `mcp_start_failed` (it can't be started, exits, answers wrongly, or says nothing for
 * `startup_timeout_secs`), `mcp_checksum_mismatch`; the signal's reason when it is aborted.
 */
export const startServer = async (
  request: ServerRequest,
  signal: AbortSignal,
  deps: PeerDeps & {readonly version: string},
): Promise<McpInstance> => {
  signal.throwIfAborted()
  const {Client: McpClient} = await import('@modelcontextprotocol/client')
  const peer = await openPeer(request, deps)
  const client = new McpClient(
    {name: 'jp', version: deps.version},
    // Results go to a model, which reads what it gets: checking them against the server's own schema helps nobody.
    {
      jsonSchemaValidator: {
        getValidator: () => (data) => ({valid: true, data: data as never, errorMessage: undefined}),
      },
    },
  )
  try {
    await greet(client, peer, request, signal)
    return createInstance(client, peer)
  } catch (error) {
    await peer.stop()
    throw error
  }
}

const greet = async (client: Client, peer: Peer, request: ServerRequest, signal: AbortSignal): Promise<void> => {
  const seconds = request.settings.startup_timeout_secs ?? defaultStartupSecs
  try {
    const timeout = AbortSignal.timeout(seconds * 1000)
    await client.connect(peer.transport, {signal: AbortSignal.any([signal, timeout]), timeout: seconds * 1000})
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof JpError ? error : greetingFailure(error, peer, seconds)
  }
}

const greetingFailure = (error: unknown, peer: Peer, seconds: number): JpError => {
  const how = peer.howItEnded()
  const reason = peer.redact(error instanceof Error ? error.message : String(error))
  const isTimeout = error instanceof Error && (error.name === 'TimeoutError' || /timed? ?out/i.test(reason))
  const silent = isTimeout ? `did not answer within ${seconds} s` : `did not start: ${reason.replace(/\.$/, '')}`
  return serverError('mcp_start_failed', peer.name, {
    says: how === undefined ? silent : `${how} before it answered`,
    stderr: peer.stderr(),
    hint: `See how it is started: jp config show providers.mcp.${peer.name}`,
    cause: error,
  })
}
