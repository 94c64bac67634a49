import type {Configuration} from '../../config/schema.js'
import type {Conversation} from '../../conversation/conversation.js'
import type {LockedConversation} from '../../conversation/locked-conversation.js'
import type {McpPool} from '../../mcp/pool.js'
import {announceRetry} from '../../turn/announce-retry.js'
import {headingOf} from '../../turn/heading.js'
import {openMcpPool} from '../../turn/mcp-pool.js'
import type {Preparation, PreparedTurn} from '../../turn/prepare-turn.js'
import {type ReadyTurn, runPreparedTurn} from '../../turn/run-prepared-turn.js'
import type {TurnEnd} from '../../turn/turn-end.js'
import type {TurnSubscriber} from '../../turn/turn-event.js'
import {attachmentAssignments, mentionsIn, storedAttachment} from './attachment-flags.js'
import {type OpenedConversation, openForTurn} from './open-for-turn.js'
import {prepareQuery} from './prepare-query.js'
import type {QueryOptions} from './query-options.js'
import type {QueryScene} from './query-scene.js'
import {settleTurn} from './settle-turn.js'
import {type TurnWatch, watchTurn} from './watch-turn.js'
import {type WrittenMessage, writeMessage} from './write-message.js'

/** One turn that was asked for. */
export type QueryTurn = {
  readonly scene: QueryScene
  readonly options: QueryOptions
  /** Undefined: what is stored and has no answer is sent again. */
  readonly message: string | undefined
  /** The message is (also) written at the terminal. */
  readonly isWritten: boolean
}

/** The conversation that it runs in. `held` is locked by the caller, `unstored` is only read (`--no-persist`). */
export type TurnIn =
  | {readonly kind: 'new'; readonly isDefault: boolean}
  | {readonly kind: 'held'; readonly conversation: LockedConversation}
  | {readonly kind: 'unstored'; readonly conversation: Conversation}

/**
 * Prepares and runs a turn, and settles the exit code. Nothing is created before the model could be opened.
 * @throws JpError whatever keeps the turn from starting, and the error that it ended with.
 */
export const runQueryTurn = async (turn: QueryTurn, where: TurnIn): Promise<void> => {
  const {scene, options} = turn
  const {output} = scene.invocation
  let subscriber: TurnSubscriber = () => undefined
  const preparation: Preparation = {
    conversation:
      where.kind === 'held' ? where.conversation.read() : where.kind === 'new' ? undefined : where.conversation,
    cfg: [...options.cfg, ...attachmentAssignments(namedAttachments(turn))],
    onRetry: (notice) => void subscriber(announceRetry(notice)),
  }
  const prepared = await prepareQuery(scene, preparation, {toolFlags: options.toolFlags, isWritten: turn.isWritten})
  for (const notice of prepared.notices) output.warn(notice.text)
  const opened = openForTurn(turn, where, prepared)
  try {
    const connect = (connected: TurnSubscriber): void => {
      subscriber = connected
    }
    await runOpened(turn, prepared, {opened, connect})
  } finally {
    opened.release()
  }
}

const runOpened = async (
  turn: QueryTurn,
  prepared: PreparedTurn,
  {opened, connect}: {readonly opened: OpenedConversation; readonly connect: (subscriber: TurnSubscriber) => void},
): Promise<void> => {
  const {scene, options} = turn
  const {output} = scene.invocation
  if (options.compact !== undefined) {
    const {compactFirst} = await import('./compact-first.js')
    await compactFirst(scene, opened, {spec: options.compact, prepared})
  }
  const written = turn.isWritten ? await write(turn, prepared, opened) : undefined
  if (turn.isWritten && written === undefined) return output.note('The message is empty; nothing was sent.')
  const watch = watchTurn(scene, prepared.config, options)
  connect(watch.subscriber)
  try {
    const end = await run(turn, prepared, {opened, watch, content: written?.content ?? opened.content})
    if (end.outcome === 'completed') await written?.done()
    settleTurn(scene.invocation, end, {id: opened.id, options, dropped: watch.control.drops})
  } finally {
    watch.end()
  }
}

/** Has the message written; a new conversation takes its title from it. */
const write = async (
  {scene, message, options}: QueryTurn,
  {config, model}: PreparedTurn,
  opened: OpenedConversation,
): Promise<WrittenMessage | undefined> => {
  const written = await writeMessage(scene, {
    id: opened.id,
    given: message,
    model: model.name,
    events: opened.isNew ? [] : opened.conversation.read().events,
    editor: config.editor,
  })
  const heading = written === undefined ? undefined : headingOf(written.content)
  if (opened.isNew && options.title === undefined && config.conversation.title.from_heading && heading !== undefined) {
    opened.conversation.changeMetadata({title: heading})
  }
  return written
}

type Running = {
  readonly opened: OpenedConversation
  readonly watch: TurnWatch
  readonly content: string | undefined
}

/** What was named for this turn: flags, and files that the message mentions. */
const namedAttachments = ({scene, options}: QueryTurn): readonly string[] => {
  const {launchCwd, checkout} = scene.place
  const typed = [...options.attachments, ...mentionsIn(options.words, launchCwd)]
  return typed.map((one) => storedAttachment(one, {launchCwd, root: checkout.root}))
}

const run = async (query: QueryTurn, prepared: PreparedTurn, {opened, watch, content}: Running): Promise<TurnEnd> => {
  const {scene, options} = query
  /** What was sent to the session's record stays true when the turn fails later. */
  const activate: TurnSubscriber = async (event) => {
    if (event.type === 'turn_started') await scene.activate(opened.id)
  }
  const {output, version, clock} = scene.invocation
  const servers = createServers(prepared.config.mcp, version, (text) => output.warn(text))
  const turn: ReadyTurn = {
    clock,
    place: scene.place,
    prepared,
    conversation: opened.conversation,
    isNew: opened.isNew,
    content,
    title: opened.title,
    schema: options.schema,
    control: watch.control,
    subscribers: [activate, watch.subscriber],
    asker: watch.asker,
    session: scene.session,
    namedAttachments: namedAttachments(query),
    pool: servers.pool,
    tasks: scene.invocation.globals.noPersist ? undefined : watch.tasks,
    onProgress: (text) => output.note(text),
  }
  try {
    return await runPreparedTurn(turn)
  } finally {
    await servers.close()
  }
}

/** The MCP servers of this process: made at the first need, ended with the turn. */
const createServers = (settings: Configuration['mcp'], version: string, onNotice: (text: string) => void) => {
  let opened: Promise<McpPool> | undefined
  return {
    pool: () => (opened ??= openMcpPool({settings, version, onNotice})),
    close: async (): Promise<void> => (await opened)?.close(),
  }
}
