import type {Launch} from '../bootstrap/launch.js'
import {durationMs} from '../config/duration.js'
import type {Resolution} from '../config/pipeline.js'
import type {Conversation} from '../conversation/conversation.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import {JpError} from '../errors/jp-error.js'
import type {Trace} from '../platform/trace.js'
import type {ToHostOf} from '../protocol/plugin-to-host.js'
import {headingOf} from '../turn/heading.js'
import {runTurn, type TurnRequest} from '../turn/run-turn.js'
import {systemPrompt} from '../turn/system-prompt.js'
import {noTools} from '../turn/tool-round.js'
import {turnConfiguration} from '../turn/turn-configuration.js'
import {createTurnControl} from '../turn/turn-control.js'
import type {TurnEvent} from '../turn/turn-event.js'
import {openTurnModel, type TurnModel} from '../turn/turn-model.js'
import {conversationId} from './host/conversation-requests.js'
import type {PrepareTurn, ReadyTurn} from './host/delegated-turns.js'
import {removeDraftOf} from './host/draft-requests.js'
import {guardLastRoot} from './host/last-root-guard.js'
import type {OpenWorkspace} from './host/open-workspace.js'
import {createReplies} from './host/replies.js'
import type {WorkspaceScope} from './manifest.js'

/** What delegated turns stand on. */
export type TurnsDeps = {readonly launch: Launch; readonly scope: WorkspaceScope; readonly trace: Trace}

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
  const {title, start_local: local} = prepared.config.conversation
  const given = query.title === undefined || query.title.trim() === '' ? undefined : query.title
  const locked = workspace.store.create({
    title: given ?? (title.from_heading ? headingOf(query.content) : undefined),
    local,
    expiresAtMs: expiresInMs === undefined ? undefined : deps.launch.clock.nowMs() + expiresInMs,
    baseConfig: prepared.baseConfig,
  })
  return ready(deps, {workspace, query, locked, prepared, isNew: true})
}

const expiryOf = ({expires_in: text}: Query): number | undefined => {
  if (text === undefined) return undefined
  if (!/^(?:\d+(?:\.\d+)?\s*(?:ms|s|m|h|d)\s*)+$/.test(text))
    throw new JpError('request_invalid', `"expires_in": ${JSON.stringify(text)} is no span of time.`)
  return durationMs(text)
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

type Prepared = Resolution & {readonly model: TurnModel}
type Preparation = {
  readonly workspace: OpenWorkspace
  readonly query: Query
  readonly conversation: Conversation | undefined
}

/** The `--cfg` of the launch does not reach a delegated turn (S32). */
const prepare = async ({launch, trace}: TurnsDeps, preparation: Preparation): Promise<Prepared> => {
  const {workspace, query, conversation} = preparation
  const {environment, directories} = launch
  const {checkout, silo, configCwd, launchCwd} = workspace
  const place = {checkout, silo, configCwd, launchCwd, environment, directories}
  const resolution = await turnConfiguration(place, conversation, query.cfg ?? [])
  for (const notice of resolution.notices) trace.write('warn', 'plugin', notice.text)
  const model = await openTurnModel(resolution.config, place, (notice) =>
    trace.write('warn', 'plugin', 'the model is asked again', {...notice}),
  )
  return {...resolution, model}
}

type Readying = {
  readonly workspace: OpenWorkspace
  readonly query: Query
  readonly locked: LockedConversation
  readonly prepared: Prepared
  readonly isNew: boolean
}

const ready = (deps: TurnsDeps, readying: Readying): ReadyTurn => {
  const {workspace, query, locked, prepared, isNew} = readying
  const control = createTurnControl()
  const replies = createReplies()
  /** The words of the draft are stored with the first event of the turn. */
  const dropDraft = (event: TurnEvent): void => {
    if (event.type === 'turn_started') removeDraftOf(workspace, locked.id)
  }
  return {
    conversation: locked.id,
    isNew,
    async run() {
      try {
        const end = await runTurn(
          {
            clock: deps.launch.clock,
            conversation: locked,
            model: prepared.model.model,
            tools: noTools,
            control,
            subscribers: [dropDraft, (event) => replies.watch(event)],
          },
          requestOf(readying),
        )
        if (end.error !== undefined) throw end.error
        if (query.schema !== undefined && end.data === undefined && end.outcome === 'completed') {
          throw new JpError('provider_misbehaved', 'The model gave no answer of the schema.')
        }
        return {data: end.data}
      } finally {
        replies.end()
        locked.release()
      }
    },
    stop: () => control.stop('terminated'),
    interrupt(how) {
      if (how.action === 'reply') {
        control.reply(how.content)
        return replies.expect(how.content)
      }
      control.stop('user')
      return Promise.resolve(true)
    },
  }
}

const requestOf = ({workspace, query, locked, prepared, isNew}: Readying): TurnRequest => ({
  started: {
    conversation: locked.id,
    is_new: isNew,
    workspace: workspace.checkout.id,
    root: workspace.checkout.root,
    model: prepared.model.name,
  },
  content: query.content,
  author: prepared.config.user.name,
  title: isNew ? undefined : query.title,
  schema: query.schema,
  configDelta: isNew ? undefined : prepared.delta,
  system: systemPrompt(prepared.config.assistant),
})
