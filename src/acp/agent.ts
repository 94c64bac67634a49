import {type AgentApp, agent, type ClientCapabilities} from '@agentclientprotocol/sdk'
import type {AcpDeps} from './acp-deps.js'
import type {AgentParts} from './agent-parts.js'
import {createClientPort} from './client-port.js'
import {initializeResponse} from './initialize.js'
import {toRpcError} from './rpc-error.js'

/**
 * The agent of one client (D27): each method of the protocol is one call of a part.
 * @param parts are opened at the first request about a session: an editor starts agents that nobody asks anything.
 */
export const createAgent = (deps: AcpDeps, parts: () => Promise<AgentParts>): AgentApp => {
  let capabilities: ClientCapabilities = {}
  const answered = answering(deps)
  return agent({name: 'jp'})
    .onRequest(
      'initialize',
      answered(({params}) => {
        capabilities = params.clientCapabilities ?? {}
        return initializeResponse(deps.version)
      }),
    )
    .onRequest(
      'session/new',
      answered(async ({params}) => (await parts()).requests.create(params)),
    )
    .onRequest(
      'session/load',
      answered(async ({params, client}) =>
        (await parts()).requests.load(params, (id) => createClientPort(client, capabilities, id)),
      ),
    )
    .onRequest(
      'session/resume',
      answered(async ({params}) => (await parts()).requests.resume(params)),
    )
    .onRequest(
      'session/list',
      answered(async ({params}) => (await parts()).requests.list(params)),
    )
    .onRequest(
      'session/close',
      answered(async ({params}) => (await parts()).requests.close(params)),
    )
    .onRequest(
      'session/set_mode',
      answered(async ({params, client}) =>
        (await parts()).requests.setMode(params, createClientPort(client, capabilities, params.sessionId)),
      ),
    )
    .onRequest(
      'session/set_config_option',
      answered(async ({params, client}) =>
        (await parts()).requests.setOption(params, createClientPort(client, capabilities, params.sessionId)),
      ),
    )
    .onRequest(
      'session/prompt',
      answered(async ({params, client, signal}) => (await parts()).prompt(params, {client, capabilities, signal})),
    )
    .onNotification('session/cancel', async ({params}) => (await parts()).cancel(params.sessionId))
}

/** Whatever a handler throws becomes the protocol's error; the log has it whole. */
const answering =
  ({trace, redact}: AcpDeps) =>
  <Context, Answer>(handle: (context: Context) => Answer | Promise<Answer>) =>
  async (context: Context): Promise<Answer> => {
    try {
      return await handle(context)
    } catch (error) {
      trace.write('warn', 'acp', String(error), {stack: error instanceof Error ? error.stack : undefined})
      throw toRpcError(error, redact)
    }
  }
