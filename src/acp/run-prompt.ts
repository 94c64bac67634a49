import type {PromptResponse, StopReason} from '@agentclientprotocol/sdk'
import type {Configuration} from '../config/schema.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import {hasCode} from '../errors/jp-error.js'
import type {McpPool} from '../mcp/pool.js'
import type {Clock} from '../platform/clock.js'
import {announceRetry} from '../turn/announce-retry.js'
import type {BackgroundTasks} from '../turn/background-tasks.js'
import {newConversation} from '../turn/new-conversation.js'
import {type PreparedTurn, prepareTurn} from '../turn/prepare-turn.js'
import {runPreparedTurn} from '../turn/run-prepared-turn.js'
import type {TurnControl} from '../turn/turn-control.js'
import type {TurnEnd} from '../turn/turn-end.js'
import type {TurnSubscriber} from '../turn/turn-event.js'
import {waitForLock} from '../turn/wait-for-lock.js'
import type {ClientPort} from './client-port.js'
import {clientServers} from './client-servers.js'
import {lockWhereItRan} from './last-root-check.js'
import {modelsOf} from './models.js'
import {createPromptScene, type PromptScene} from './prompt-scene.js'
import type {Session} from './session.js'

/** One prompt of a session. */
export type Prompt = {
  readonly session: Session
  readonly client: ClientPort
  readonly control: TurnControl
  readonly clock: Clock
  /** The agent serves one checkout alone. */
  readonly isPinned: boolean
  readonly text: string
  /** `--cfg` of the command line. */
  readonly cfg: readonly string[]
  /** Tells what a client can't show, on stderr. */
  readonly warn: (text: string) => void
  /** The one pool of MCP servers of the process (S33), made with the settings of the first turn that needs it. */
  readonly pool: (settings: Configuration['mcp']) => Promise<McpPool>
  /** The one handler of background tasks of the process (S34): titles. */
  readonly tasks: BackgroundTasks
}

/**
 * Runs one prompt as a turn of the session's conversation, under its lock, which is free when this settles (D32). What
 * came before a cancel is kept.
 * @throws JpError whatever keeps the turn from starting (`last_root_mismatch`, `conversation_locked`, …), and the error
 * that it ended with.
 */
export const runPrompt = async (prompt: Prompt): Promise<PromptResponse> => {
  try {
    return await runLocked(prompt)
  } catch (error) {
    if (hasCode(error, 'interrupted') || prompt.control.stopped !== undefined) return {stopReason: 'cancelled'}
    throw error
  }
}

const runLocked = async (prompt: Prompt): Promise<PromptResponse> => {
  const {session} = prompt
  const isNew = session.conversation.state === 'unborn'
  const held = isNew ? undefined : await lockStored(prompt)
  let conversation = held
  try {
    const link: {subscriber: TurnSubscriber} = {subscriber: () => undefined}
    const prepared = await prepareTurn(session.at.place, {
      conversation: held?.read(),
      cfg: [...prompt.cfg, ...(session.model === undefined ? [] : [`assistant.model.id=${session.model}`])],
      onRetry: (notice) => void link.subscriber(announceRetry(notice)),
    })
    if (prompt.control.stopped !== undefined) return {stopReason: 'cancelled'}
    conversation ??= giveBirth(prompt, prepared)
    return responseOf(await run(prompt, {prepared, conversation, isNew}, link))
  } finally {
    conversation?.release()
  }
}

const lockStored = (prompt: Prompt): Promise<LockedConversation> => {
  const {session, client, control, isPinned} = prompt
  const {place, store} = session.at
  return lockWhereItRan({
    root: place.checkout.root,
    client,
    isPinned,
    signal: control.signal,
    lock: () =>
      waitForLock(() => store.lock(session.conversation.id), {
        timeoutMs: session.lockTimeoutMs,
        signal: control.signal,
      }),
  })
}

/** Creates the conversation of a session at its first prompt, under the id that it was promised. */
const giveBirth = ({session, text}: Prompt, prepared: PreparedTurn): LockedConversation => {
  const {conversation} = session
  if (conversation.state === 'unborn') conversation.reservation.release()
  const created = session.at.store.create({...newConversation(prepared, text), id: conversation.id})
  if (session.isGivenId || created.id !== conversation.id) created.recordSession(session.id)
  return created
}

type Opened = {readonly prepared: PreparedTurn; readonly conversation: LockedConversation; readonly isNew: boolean}

const run = async (
  prompt: Prompt,
  {prepared, conversation, isNew}: Opened,
  link: {subscriber: TurnSubscriber},
): Promise<TurnEnd> => {
  const {session, control, clock, text, pool, tasks} = prompt
  const {watch, asker, hands, tell} = createPromptScene(prompt)
  link.subscriber = watch
  const tellTitle = (title: string): Promise<void> =>
    prompt.client.update({sessionUpdate: 'session_info_update', title})
  const follow: TurnSubscriber = async (event) => {
    if (event.type !== 'turn_started') return
    session.conversation = {state: 'stored', id: conversation.id}
    session.models = modelsOf(prepared.config)
    const {title} = conversation.read()
    if (isNew && title !== undefined) await tellTitle(title)
  }
  await tellNotices(prompt, prepared, tell)
  const {place} = session.at
  return runPreparedTurn({
    place,
    prepared,
    conversation,
    isNew,
    content: text,
    clock,
    control,
    asker,
    hands,
    tasks,
    onLateTitle: tellTitle,
    pool: () => pool(prepared.config.mcp),
    servers: clientServers(session.mcpServers, {
      root: place.checkout.root,
      env: place.environment.env,
      configured: Object.keys(prepared.config.providers.mcp),
    }),
    onProgress: (title) => void tell('info', title),
    subscribers: [follow, watch],
  })
}

/** What the configuration has to say, such as what an untrusted checkout may not do: once in a session (W30). */
const tellNotices = async (
  {session, client, isPinned}: Prompt,
  {notices}: PreparedTurn,
  tell: PromptScene['tell'],
): Promise<void> => {
  for (const {text} of notices.filter((notice) => !session.told.has(notice.text))) {
    session.told.add(text)
    await tell('warning', text)
    // Few editors show notices, and what is left out silently is looked for in vain.
    if (!isPinned && !client.capabilities.session?.notices) {
      const content = {type: 'text' as const, text: `${text}\n\n`}
      await client.update({sessionUpdate: 'agent_thought_chunk', content})
    }
  }
}

const responseOf = (end: TurnEnd): PromptResponse => {
  if (end.error !== undefined) throw end.error
  return {stopReason: stopReasonOf(end), _meta: {jp: {usage: end.usage, denied: end.denied}}}
}

const stopReasonOf = (end: TurnEnd): StopReason => {
  if (end.outcome === 'stopped') return 'cancelled'
  if (end.finish_reason === 'length') return 'max_tokens'
  return end.finish_reason === 'content-filter' ? 'refusal' : 'end_turn'
}
