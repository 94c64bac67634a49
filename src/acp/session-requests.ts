import type {
  CloseSessionRequest,
  CloseSessionResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  ResumeSessionRequest,
  ResumeSessionResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
  SetSessionModeRequest,
  SetSessionModeResponse,
} from '@agentclientprotocol/sdk'
import {JpError} from '../errors/jp-error.js'
import type {AcpDeps} from './acp-deps.js'
import type {ClientPort} from './client-port.js'
import {modeState} from './modes.js'
import type {OpenPlaces} from './open-places.js'
import {replayUpdates} from './replay.js'
import type {Session} from './session.js'
import {listSessions} from './session-list.js'
import {modelNamed, modeNamed, sessionOptions} from './session-options.js'
import type {Sessions} from './sessions.js'

/** The requests about sessions, but for prompts. Each throws as the part that it calls. */
export interface SessionRequests {
  create(request: NewSessionRequest): Promise<NewSessionResponse>
  /** The whole stored conversation is sent before the answer. */
  load(request: LoadSessionRequest, portOf: (id: string) => ClientPort): Promise<LoadSessionResponse>
  resume(request: ResumeSessionRequest): Promise<ResumeSessionResponse>
  list(request: ListSessionsRequest): Promise<ListSessionsResponse>
  close(request: CloseSessionRequest): Promise<CloseSessionResponse>
  setMode(request: SetSessionModeRequest, client: ClientPort): Promise<SetSessionModeResponse>
  setOption(request: SetSessionConfigOptionRequest, client: ClientPort): Promise<SetSessionConfigOptionResponse>
}

/** What the requests stand on. */
export type SessionRequestDeps = {
  readonly deps: AcpDeps
  readonly places: OpenPlaces
  readonly sessions: Sessions
}

/** Creates the requests of a connection. */
export const createSessionRequests = ({deps, places, sessions}: SessionRequestDeps): SessionRequests => ({
  async create(request) {
    const session = await sessions.create(request, givenId(request._meta))
    return {sessionId: session.id, ...choicesOf(session)}
  },
  async load(request, portOf) {
    const session = await sessions.restore(request.sessionId, request)
    await replay(session, portOf(session.id))
    return choicesOf(session)
  },
  async resume(request) {
    return choicesOf(await sessions.restore(request.sessionId, {...request, mcpServers: request.mcpServers ?? []}))
  },
  list: ({cwd, cursor}) => listSessions(deps, places, {cwd: cwd ?? undefined, cursor: cursor ?? undefined}),
  async close({sessionId}) {
    await sessions.close(sessionId)
    return {}
  },
  async setMode({sessionId, modeId}, client) {
    const session = sessions.get(sessionId)
    session.mode = modeNamed(modeId)
    await client.update({sessionUpdate: 'current_mode_update', currentModeId: session.mode})
    await client.update({sessionUpdate: 'config_option_update', configOptions: sessionOptions(session)})
    return {}
  },
  async setOption({sessionId, configId, value}, client) {
    const session = sessions.get(sessionId)
    if (configId === 'mode') {
      session.mode = modeNamed(String(value))
      await client.update({sessionUpdate: 'current_mode_update', currentModeId: session.mode})
    } else if (configId === 'model') chooseModel(session, String(value))
    else throw new JpError('request_invalid', `There is no option ${JSON.stringify(configId)}.`)
    return {configOptions: sessionOptions(session)}
  },
})

const choicesOf = (session: Session): Required<Pick<NewSessionResponse, 'modes' | 'configOptions'>> => ({
  modes: modeState(session.mode),
  configOptions: sessionOptions(session),
})

const chooseModel = (session: Session, value: string): void => {
  session.model = modelNamed(value, session.models)
  session.models = {...session.models, current: session.model}
}

const replay = async (session: Session, client: ClientPort): Promise<void> => {
  const {store, place} = session.at
  const {events, title} = store.read(session.conversation.id)
  const updates = replayUpdates(events, {
    root: place.checkout.root,
    ids: session.toolCallIds,
    builtInOf: (name) => session.builtInOf(name),
  })
  for (const update of updates) await client.update(update)
  if (title !== undefined) await client.update({sessionUpdate: 'session_info_update', title})
}

/** The id that a caller wants a new session to have: `_meta.jp.sessionId`. */
const givenId = (meta: Readonly<Record<string, unknown>> | null | undefined): string | undefined => {
  const own = meta?.['jp']
  if (typeof own !== 'object' || own === null || !('sessionId' in own)) return undefined
  return String(own.sessionId)
}
