import {type AgentApp, type AgentContext, agent, type ClientCapabilities} from '@agentclientprotocol/sdk'
import type {AcpDeps} from './acp-deps.js'
import {createClientPort} from './client-port.js'
import {initializeResponse} from './initialize.js'
import type {OpenPlaces} from './open-places.js'
import {promptText} from './prompt-text.js'
import {toRpcError} from './rpc-error.js'
import {createSessionRequests} from './session-requests.js'
import type {Sessions} from './sessions.js'
import {startPrompt} from './start-prompt.js'

/** The parts of one agent. */
export type AgentParts = {readonly deps: AcpDeps; readonly places: OpenPlaces; readonly sessions: Sessions}

/** The agent of one client (D27): each method of the protocol is one call. */
export const createAgent = (parts: AgentParts): AgentApp => {
  const {deps, places, sessions} = parts
  let capabilities: ClientCapabilities = {}
  const portOf = (client: AgentContext, sessionId: string) => createClientPort(client, capabilities, sessionId)
  const requests = createSessionRequests(parts)
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
      answered(({params}) => requests.create(params)),
    )
    .onRequest(
      'session/load',
      answered(({params, client}) => requests.load(params, (id) => portOf(client, id))),
    )
    .onRequest(
      'session/resume',
      answered(({params}) => requests.resume(params)),
    )
    .onRequest(
      'session/list',
      answered(({params}) => requests.list(params)),
    )
    .onRequest(
      'session/close',
      answered(({params}) => requests.close(params)),
    )
    .onRequest(
      'session/set_mode',
      answered(({params, client}) => requests.setMode(params, portOf(client, params.sessionId))),
    )
    .onRequest(
      'session/set_config_option',
      answered(({params, client}) => requests.setOption(params, portOf(client, params.sessionId))),
    )
    .onRequest(
      'session/prompt',
      answered(({params, client, signal}) => {
        const session = sessions.get(params.sessionId)
        const run = {session, client: portOf(client, session.id), clock: deps.launch.clock}
        return startPrompt({...run, isPinned: places.pinned !== undefined, text: promptText(params.prompt)}, signal)
      }),
    )
    .onNotification('session/cancel', ({params}) => sessions.find(params.sessionId)?.running?.control.stop('user'))
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
