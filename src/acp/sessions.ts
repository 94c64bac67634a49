import type {McpServer} from '@agentclientprotocol/sdk'
import type {Clock} from '../platform/clock.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {OpenPlaces} from './open-places.js'
import {beginRestore, beginSession, newSession, storedSession, unstoredId} from './open-session.js'
import {assertIdle, type Session, type SessionConversation, sessionNotFound} from './session.js'

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
  let reserved: ConversationId | undefined
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
  const add = (session: Session): Session => {
    live.set(session.id, session)
    return session
  }
  return {
    async create(request, given) {
      const opening = await beginSession(request, {places, cfg})
      const id = given === undefined ? undefined : await unstoredId(given, opening.at)
      const session = newSession(opening, {given: id, after: reserved, clock, isLive: (one) => live.has(one)})
      reserved = session.conversation.id
      return add(session)
    },
    async restore(id, request) {
      const opening = await beginRestore(id, request, {places, cfg})
      // A prompt may have begun while the configuration was read.
      const known = find(id)
      if (known !== undefined) assertIdle(known)
      return add(storedSession(opening))
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

const releaseReservation = (conversation: SessionConversation): void => {
  if (conversation.state === 'unborn') conversation.reservation.release()
}
