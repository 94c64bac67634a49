import {durationMs} from '../config/duration.js'
import type {Configuration} from '../config/schema.js'
import type {Conversation} from '../conversation/conversation.js'
import {deriveSessionId, parseSessionId, type SessionId} from '../conversation/session-id.js'
import type {ConversationStore} from '../conversation/store.js'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import {variable} from '../platform/host-environment.js'
import {type ConversationId, conversationIdOf, decisecondsOf} from '../platform/id-grammar.js'
import {inSlices} from '../platform/steps.js'
import {builtIns} from '../turn/tools/builtin/built-ins.js'
import {settingsOf, sourceOf} from '../turn/tools/tool-settings.js'
import {turnConfiguration} from '../turn/turn-configuration.js'
import {assertKnownServers} from './client-servers.js'
import {ranIn} from './last-root-check.js'
import {modelsOf} from './models.js'
import type {OpenPlaces, SessionPlace} from './open-places.js'
import {type Session, type SessionConversation, sessionNotFound} from './session.js'
import type {SessionRequest} from './sessions.js'
import {createToolCallIds} from './tool-call-ids.js'

/** What opening a session stands on. */
export type OpeningDeps = {readonly places: OpenPlaces; readonly cfg: readonly string[]}

/** A session that is about to be: its checkout is open, its configuration read. */
export type Opening = {
  readonly at: SessionPlace
  readonly request: SessionRequest
  readonly config: Configuration
}

/** Opens the checkout of a new session. @throws JpError those of opening a checkout and of its configuration. */
export const beginSession = async (request: SessionRequest, {places, cfg}: OpeningDeps): Promise<Opening> => {
  assertKnownServers(request.mcpServers)
  const at = await places.open(request.cwd)
  const {config} = await turnConfiguration(at.place, undefined, cfg)
  return {at, request, config}
}

/** As {@link beginSession} for a stored session, which is found first. @throws JpError `session_not_found` and its like. */
export const beginRestore = async (
  id: string,
  request: SessionRequest,
  {places, cfg}: OpeningDeps,
): Promise<Opening & Stored> => {
  assertKnownServers(request.mcpServers)
  const at = await places.open(request.cwd)
  const stored = await findStored(id, at, places.pinned !== undefined)
  const {config} = await turnConfiguration(at.place, stored.conversation, cfg)
  return {at, request, config, ...stored}
}

/** How a new session gets its id. */
export type IdWish = {
  /** The id that the caller wants it to have: one that {@link unstoredId} gave. */
  readonly given: SessionId | undefined
  /** The newest conversation that this process has reserved: asking for those before it again would be in vain. */
  readonly after: ConversationId | undefined
  readonly clock: Clock
  readonly isLive: (id: string) => boolean
}

/** A session whose conversation is on no disk yet. @throws JpError `session_id_conflict`. */
export const newSession = (opening: Opening, {given, after, clock, isLive}: IdWish): Session => {
  const {at} = opening
  if (given !== undefined && isLive(given)) throw idConflict(given)
  const conversation = reserve(at.store, clock, after)
  const id = given ?? deriveSessionId(at.place.checkout.id, conversation.id)
  return {...fresh(opening), id, isGivenId: given !== undefined, conversation}
}

/** The id that a caller wants a new session to have. @throws JpError `request_invalid`, `session_id_conflict`. */
export const unstoredId = async (given: string, {place, store}: SessionPlace): Promise<SessionId> => {
  const id = parseSessionId(given)
  if (id === undefined) throw new JpError('request_invalid', `A session id is a UUID, not ${JSON.stringify(given)}.`)
  if ((await inSlices(store.findSession(place.checkout.id, id))) !== undefined) throw idConflict(id)
  return id
}

/** The live session of a stored conversation. */
export const storedSession = (opening: Opening & Stored): Session => ({
  ...fresh(opening),
  id: opening.id,
  isGivenId: false,
  conversation: {state: 'stored', id: opening.conversation.id},
})

const fresh = ({at, request: {mcpServers}, config}: Opening) =>
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

const idConflict = (id: SessionId): JpError =>
  new JpError('session_id_conflict', `There is a session ${id} already.`, {
    hint: 'Load or resume it, or choose another id.',
    details: {sessionId: id},
  })

/** How far a process may lag behind the time that it read, and a timer run ahead of it. Unit: milliseconds. */
const lagMs = 500

/**
 * Reserves the id of a conversation (W21). The lock is held only until the tenth of a second that the id names has surely
 * passed: whoever creates another later takes a later one, so an idle session needs no lock to keep its id (D32).
 */
const reserve = (store: ConversationStore, clock: Clock, after: ConversationId | undefined): SessionConversation => {
  const next = after === undefined ? 0 : decisecondsOf(after) + 1
  const reservation = store.create({id: conversationIdOf(Math.max(next, Math.floor(clock.nowMs() / 100)))})
  const passedMs = (decisecondsOf(reservation.id) + 1) * 100 + lagMs - clock.nowMs()
  setTimeout(() => reservation.release(), Math.max(0, passedMs)).unref()
  return {state: 'unborn', id: reservation.id, reservation}
}

type Stored = {readonly id: SessionId; readonly conversation: Conversation}

/**
 * The conversation behind an id, in the view of one checkout. An agent that serves one checkout alone has no part in what
 * last ran in another (D31).
 */
const findStored = async (text: string, {place, store}: SessionPlace, isPinned: boolean): Promise<Stored> => {
  const id = parseSessionId(text)
  const found = id === undefined ? undefined : await inSlices(store.findSession(place.checkout.id, id))
  if (id === undefined || found === undefined) throw sessionNotFound(text)
  const conversation = store.read(found)
  const {lastRoot} = conversation
  if (isPinned && lastRoot !== undefined && !ranIn(lastRoot, place.checkout.root)) throw sessionNotFound(text)
  if (conversation.archived) {
    throw new JpError('conversation_archived', `Conversation ${found} is archived.`, {
      hint: `Run "jp conversation unarchive ${found}" first.`,
    })
  }
  return {id, conversation}
}
