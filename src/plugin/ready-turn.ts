import type {Launch} from '../bootstrap/launch.js'
import {durationMs} from '../config/duration.js'
import type {Conversation} from '../conversation/conversation.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import {JpError} from '../errors/jp-error.js'
import type {McpPool} from '../mcp/pool.js'
import type {Trace} from '../platform/trace.js'
import type {ToHostOf} from '../protocol/plugin-to-host.js'
import type {BackgroundTasks} from '../turn/background-tasks.js'
import {newConversation} from '../turn/new-conversation.js'
import {type PreparedTurn, prepareTurn} from '../turn/prepare-turn.js'
import {runPreparedTurn} from '../turn/run-prepared-turn.js'
import {createTurnControl} from '../turn/turn-control.js'
import type {TurnEvent} from '../turn/turn-event.js'
import type {TurnPlace} from '../turn/turn-place.js'
import {conversationId} from './host/conversation-requests.js'
import type {PrepareTurn, ReadyTurn} from './host/delegated-turns.js'
import {dropDraft} from './host/draft-requests.js'
import {guardLastRoot} from './host/last-root-guard.js'
import type {OpenWorkspace} from './host/open-workspace.js'
import {createReplies} from './host/replies.js'
import type {WorkspaceScope} from './manifest.js'

/** What delegated turns stand on. */
export type TurnsDeps = {
  readonly launch: Launch
  readonly scope: WorkspaceScope
  readonly trace: Trace
  /** The one handler of background tasks of the process (S34). */
  readonly tasks: BackgroundTasks
  /** The one pool of MCP servers of the process (S33). */
  pool(): Promise<McpPool>
}

type Query = ToHostOf<'query'>

/**
 * Makes delegated turns ready, by the pipeline that `jp query` uses (S32): the conversation is locked, its record is
 * checked (S27), its configuration resolved for its checkout, its model opened. Nothing is created before that.
 */
export const createPrepareTurn =
  (deps: TurnsDeps): PrepareTurn =>
  async (workspace, query) => {
    if (query.new === true) return readyNew(deps, workspace, query)
    if (query.expires_in !== undefined) {
      throw new JpError('request_invalid', '"expires_in" is for a new conversation: it needs "new".')
    }
    const locked = workspace.store.lock(conversationId(query.conversation))
    try {
      guard(deps, {workspace, query, locked})
      const prepared = await prepare(deps, {workspace, query, conversation: locked.read()})
      return ready(deps, {workspace, query, locked, prepared, isNew: false})
    } catch (error) {
      locked.release()
      throw error
    }
  }

const readyNew = async (deps: TurnsDeps, workspace: OpenWorkspace, query: Query): Promise<ReadyTurn> => {
  guard(deps, {workspace, query, locked: undefined})
  const expiresInMs = expiryOf(query)
  const prepared = await prepare(deps, {workspace, query, conversation: undefined})
  const start = newConversation(prepared, query.content)
  const locked = workspace.store.create({
    ...start,
    title: query.title === undefined || query.title.trim() === '' ? start.title : query.title,
    expiresInMs,
  })
  return ready(deps, {workspace, query, locked, prepared, isNew: true})
}

const expiryOf = ({expires_in: text}: Query): number | undefined => {
  if (text === undefined) return undefined
  if (/^(?:\d+(?:\.\d+)?\s*(?:ms|s|m|h|d)\s*)+$/.test(text)) return durationMs(text)
  throw new JpError('request_invalid', `"expires_in": ${JSON.stringify(text)} is no span of time.`)
}

type GuardCase = {
  readonly workspace: OpenWorkspace
  readonly query: Query
  readonly locked: LockedConversation | undefined
}

const guard = ({scope}: TurnsDeps, {workspace, query, locked}: GuardCase): void =>
  guardLastRoot({
    scope,
    root: workspace.checkout.root,
    record: locked?.lastRoot(),
    expected: query.expected_last_root,
  })

type Preparing = {
  readonly workspace: OpenWorkspace
  readonly query: Query
  readonly conversation: Conversation | undefined
}

/** The `--cfg` of the launch does not reach a delegated turn (S32). */
const prepare = async (deps: TurnsDeps, {workspace, query, conversation}: Preparing): Promise<PreparedTurn> => {
  const {trace} = deps
  const prepared = await prepareTurn(placeOf(deps, workspace), {
    conversation,
    cfg: query.cfg ?? [],
    onRetry: (notice) => trace.write('warn', 'plugin', 'the model is asked again', {...notice}),
  })
  for (const notice of prepared.notices) trace.write('warn', 'plugin', notice.text)
  return prepared
}

const placeOf = ({launch}: TurnsDeps, {checkout, silo, configCwd, launchCwd}: OpenWorkspace): TurnPlace => ({
  checkout,
  silo,
  configCwd,
  launchCwd,
  environment: launch.environment,
  directories: launch.directories,
})

type Readying = {
  readonly workspace: OpenWorkspace
  readonly query: Query
  readonly locked: LockedConversation
  readonly prepared: PreparedTurn
  readonly isNew: boolean
}

const ready = (deps: TurnsDeps, {workspace, query, locked, prepared, isNew}: Readying): ReadyTurn => {
  const control = createTurnControl()
  const replies = createReplies()
  /** The words of the draft are stored with the first event of the turn. */
  const clearDraft = async (event: TurnEvent): Promise<void> => {
    if (event.type === 'turn_started') await dropDraft(workspace, locked.id)
  }
  const run = async (): Promise<{data?: unknown}> => {
    const end = await runPreparedTurn({
      clock: deps.launch.clock,
      place: placeOf(deps, workspace),
      prepared,
      conversation: locked,
      isNew,
      content: query.content,
      title: isNew ? undefined : query.title,
      schema: query.schema,
      control,
      pool: () => deps.pool(),
      tasks: deps.tasks,
      onProgress: (text) => deps.trace.write('info', 'plugin', text),
      subscribers: [clearDraft, (event) => replies.watch(event)],
    })
    if (end.error !== undefined) throw end.error
    if (query.schema !== undefined && end.data === undefined && end.outcome === 'completed') {
      throw new JpError('provider_misbehaved', 'The model gave no answer of the schema.')
    }
    return {data: end.data}
  }
  return {
    conversation: locked.id,
    isNew,
    run: () =>
      run().finally(() => {
        replies.end()
        locked.release()
      }),
    stop: () => control.stop('terminated'),
    interrupt(how) {
      if (how.action === 'reply') {
        control.reply(how.content)
        return replies.expect(how.content)
      }
      if (how.action === 'abort') control.abort()
      else control.stop('user')
      return Promise.resolve(true)
    },
  }
}
