import type {AgentContext, ClientCapabilities, PromptRequest, PromptResponse} from '@agentclientprotocol/sdk'
import {createBackgroundTasks} from '../turn/background-tasks.js'
import {createLazyPool} from '../turn/lazy-pool.js'
import type {AcpDeps} from './acp-deps.js'
import {createClientPort} from './client-port.js'
import {createOpenPlaces} from './open-places.js'
import {promptText} from './prompt-text.js'
import {createSessionRequests, type SessionRequests} from './session-requests.js'
import {createSessions} from './sessions.js'
import {startPrompt} from './start-prompt.js'

/** Who asks, and what it can do. */
export type Caller = {
  readonly client: AgentContext
  readonly capabilities: ClientCapabilities
  /** Aborted when the request is taken back. */
  readonly signal: AbortSignal
}

/** All of an agent that has to do with sessions. */
export interface AgentParts {
  readonly requests: SessionRequests
  /** @throws JpError `session_not_found`, and as {@link startPrompt}. */
  prompt(request: PromptRequest, caller: Caller): Promise<PromptResponse>
  /** A session without a prompt, and one that is not there, have nothing to cancel (D29). */
  cancel(sessionId: string): void
  /** Stops what runs; settles when it has ended. */
  end(): Promise<void>
}

/**
 * Opens the parts: the checkout of `-w`, if there is one.
 * @throws JpError as the bootstrap.
 */
export const openAgentParts = async (deps: AcpDeps): Promise<AgentParts> => {
  const {clock, output, directories, environment} = deps.launch
  const host = {directories, environment, onNotice: (text: string) => output.warn(text)}
  const places = await createOpenPlaces(deps)
  const sessions = createSessions({places, clock, cfg: deps.cfg})
  const servers = createLazyPool({...host, version: deps.version})
  const warn = (text: string): void => output.warn(text)
  const tasks = createBackgroundTasks(warn)
  const shared = {clock, pool: servers.pool, tasks, cfg: deps.cfg, isPinned: places.pinned !== undefined, warn}
  return {
    requests: createSessionRequests({deps, places, sessions}),
    async prompt({sessionId, prompt}, {client, capabilities, signal}) {
      const session = sessions.get(sessionId)
      const port = createClientPort(client, capabilities, session.id)
      return startPrompt({...shared, session, client: port, text: promptText(prompt)}, signal)
    },
    cancel: (sessionId) => sessions.find(sessionId)?.running?.control.stop('user'),
    async end() {
      tasks.cancelAll()
      await sessions.endAll()
      await servers.close()
    },
  }
}
