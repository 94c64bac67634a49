import type {McpServer} from '@agentclientprotocol/sdk'
import {durationMs} from '../config/duration.js'
import type {Configuration} from '../config/schema.js'
import {deriveSessionId, parseSessionId, type SessionId} from '../conversation/session-id.js'
import type {ConversationStore} from '../conversation/store.js'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import {variable} from '../platform/host-environment.js'
import {decisecondsOf} from '../platform/id-grammar.js'
import {builtIns} from '../turn/tools/builtin/built-ins.js'
import {settingsOf, sourceOf} from '../turn/tools/tool-settings.js'
import {turnConfiguration} from '../turn/turn-configuration.js'
import {assertKnownServers} from './client-servers.js'
import {modelsOf} from './models.js'
import type {OpenPlaces, SessionPlace} from './open-places.js'
import {assertIdle, type Session, type SessionConversation, sessionNotFound} from './session.js'
import {createToolCallIds} from './tool-call-ids.js'

/** What a client asks a session for. */
export type SessionRequest = {readonly cwd: string; readonly mcpServers: readonly McpServer[]}

/** The live sessions of one client. */
export interface Sessions {
  /**
   * Starts a session: a conversation that is on no disk yet.
   * @param given an id that the caller wants it to have.
   * @throws JpError those of opening a checkout and of its configuration; `request_invalid`, `session_id_conflict`.
   */
  create(request: SessionRequest, given: string | undefined): Promise<Session>
  /**
   * Makes a stored conversation a live session. Writes nothing.
   * @throws JpError `session_not_found`, `session_busy`, `conversation_corrupt`, and as {@link Sessions.create}.
   */
  restore(id: string, request: SessionRequest): Promise<Session>
  find(id: string): Session | undefined
  /** @throws JpError `session_not_found`. */
  get(id: string): Session
  /** Stops what runs and forgets the session. */
  close(id: string): Promise<void>
  /** Stops what runs everywhere; settles when it has ended. */
  endAll(): Promise<void>
}

/** What the sessions stand on. */
export type SessionsDeps = {readonly places: OpenPlaces; readonly clock: Clock; readonly cfg: readonly string[]}

/** Creates the sessions of a connection. */
export const createSessions = ({places, clock, cfg}: SessionsDeps): Sessions => {
  const live = new Map<string, Session>()
  const find = (id: string): Session | undefined => live.get(id.toLowerCase())
  const get = (id: string): Session => {
    const session = find(id)
    if (session === undefined) throw sessionNotFound(id)
    return session
  }
  const stop = async (session: Session): Promise<void> => {
    releaseReservation(session.conversation)
    session.running?.control.stop('terminated')
    await session.running?.ended
  }
  return {
    async create(request, given) {
      assertKnownServers(request.mcpServers)
      const at = await places.open(request.cwd)
      const givenId = given === undefined ? undefined : freeId(given, at, live)
      const {config} = await turnConfiguration(at.place, undefined, cfg)
      const conversation = reserve(at.store, clock)
      const id = givenId ?? deriveSessionId(at.place.checkout.id, conversation.id)
      const session: Session = {
        ...fresh(at, request, config),
        id,
        isGivenId: givenId !== undefined,
        conversation,
      }
      live.set(id, session)
      return session
    },
    async restore(id, request) {
      assertKnownServers(request.mcpServers)
      const at = await places.open(request.cwd)
      const known = find(id)
      if (known !== undefined) assertIdle(known)
      const stored = findStored(id, at, places.pinned !== undefined)
      const {config} = await turnConfiguration(at.place, stored.conversation, cfg)
      const session: Session = {
        ...fresh(at, request, config),
        id: stored.id,
        isGivenId: false,
        conversation: {state: 'stored', id: stored.conversation.id},
      }
      live.set(session.id, session)
      return session
    },
    find,
    get,
    async close(id) {
      const session = get(id)
      live.delete(session.id)
      await stop(session)
    },
    async endAll() {
      await Promise.all([...live.values()].map(stop))
    },
  }
}

const fresh = (at: SessionPlace, {mcpServers}: SessionRequest, config: Configuration) =>
  ({
    at,
    mcpServers,
    toolCallIds: createToolCallIds(),
    mode: 'ask',
    models: modelsOf(config),
    model: undefined,
    running: undefined,
    told: new Set<string>(),
    lockTimeoutMs: lockTimeoutMs(config, at),
    builtInOf: (name: string) => builtInOf(config.conversation.tools, name),
  }) as const

/** The built-in that a tool's `source` means; without one, that of the tool's own name. */
const builtInOf = (tools: Configuration['conversation']['tools'], name: string): string | undefined => {
  const otherwise = Object.hasOwn(builtIns, name) ? 'builtin' : 'local'
  const source = sourceOf(name, settingsOf(tools, name).source ?? otherwise)
  return source.kind === 'builtin' ? source.tool : undefined
}

/** As for `jp query`: the setting, or JP_LOCK_DURATION. */
const lockTimeoutMs = ({style}: Configuration, {place}: SessionPlace): number => {
  const override = variable(place.environment, 'JP_LOCK_DURATION')
  return override === undefined ? style.lock_wait.timeout_secs * 1000 : durationMs(override)
}

const freeId = (given: string, {place, store}: SessionPlace, live: ReadonlyMap<string, Session>): SessionId => {
  const id = parseSessionId(given)
  if (id === undefined) throw new JpError('request_invalid', `A session id is a UUID, not ${JSON.stringify(given)}.`)
  if (!live.has(id) && store.findSession(place.checkout.id, id) === undefined) return id
  throw new JpError('session_id_conflict', `There is a session ${id} already.`, {
    hint: 'Load or resume it, or choose another id.',
    details: {sessionId: id},
  })
}

/**
 * Reserves the id of a conversation (W21). The lock is held only until the tenth of a second that the id names has passed:
 * whoever creates another later takes a later one, so an idle session needs no lock to keep its id (D32).
 */
const reserve = (store: ConversationStore, clock: Clock): SessionConversation => {
  const reservation = store.create()
  const passedMs = (decisecondsOf(reservation.id) + 1) * 100 - clock.nowMs()
  setTimeout(() => reservation.release(), Math.max(0, passedMs)).unref()
  return {state: 'unborn', id: reservation.id, reservation}
}

const releaseReservation = (conversation: SessionConversation): void => {
  if (conversation.state === 'unborn') conversation.reservation.release()
}

/**
 * The conversation behind an id, in the view of one checkout. An agent that serves one checkout alone has no part in what
 * last ran in another (D31).
 */
const findStored = (text: string, {place, store}: SessionPlace, isPinned: boolean) => {
  const id = parseSessionId(text)
  const found = id === undefined ? undefined : store.findSession(place.checkout.id, id)
  if (id === undefined || found === undefined) throw sessionNotFound(text)
  const conversation = store.read(found)
  const {lastRoot} = conversation
  if (isPinned && lastRoot !== undefined && lastRoot.path !== place.checkout.root) throw sessionNotFound(text)
  if (conversation.archived) {
    throw new JpError('conversation_archived', `Conversation ${found} is archived.`, {
      hint: `Run "jp conversation unarchive ${found}" first.`,
    })
  }
  return {id, conversation}
}
