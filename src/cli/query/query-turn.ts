import type {Conversation} from '../../conversation/conversation.js'
import type {LockedConversation} from '../../conversation/locked-conversation.js'
import {announceRetry} from '../../turn/announce-retry.js'
import {createLazyPool} from '../../turn/lazy-pool.js'
import type {Preparation} from '../../turn/prepare-turn.js'
import {type ReadyTurn, runPreparedTurn} from '../../turn/run-prepared-turn.js'
import type {TurnEnd} from '../../turn/turn-end.js'
import type {TurnSubscriber} from '../../turn/turn-event.js'
import {attachmentAssignments} from './attachment-flags.js'
import {assertUnshadowed} from './mount-flags.js'
import {type OpenedConversation, openForTurn} from './open-for-turn.js'
import {prepareQuery} from './prepare-query.js'
import type {QueryOptions} from './query-options.js'
import type {QueryScene} from './query-scene.js'
import {settleTurn} from './settle-turn.js'
import {turnLabels} from './turn-labels.js'
import {type TurnWatch, watchTurn} from './watch-turn.js'
import {namedIn, type WrittenTurn, writtenTurn} from './written-turn.js'

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
  | {readonly kind: 'held'; readonly conversation: LockedConversation; readonly isFork: boolean}
  | {readonly kind: 'unstored'; readonly conversation: Conversation}

/**
 * Prepares and runs a turn, and settles the exit code. Nothing is created before the model could be opened.
 * @throws JpError whatever keeps the turn from starting, and the error that it ended with.
 */
export const runQueryTurn = async (turn: QueryTurn, where: TurnIn): Promise<void> => {
  const {scene, options} = turn
  const {output} = scene.invocation
  assertUnshadowed(options.mounts, scene.place.checkout.root)
  let subscriber: TurnSubscriber = () => undefined
  const preparation: Preparation = {
    conversation:
      where.kind === 'held' ? where.conversation.read() : where.kind === 'new' ? undefined : where.conversation,
    cfg: [...options.cfg, ...attachmentAssignments(namedIn(turn, options.words))],
    onRetry: (notice) => void subscriber(announceRetry(notice)),
  }
  const wishes = {toolFlags: options.toolFlags, labelRules: options.labelRules, isWritten: turn.isWritten}
  const prepared = await prepareQuery(scene, preparation, wishes)
  for (const notice of prepared.notices) output.warn(notice.text)
  const labelled = where.kind === 'new' ? 'new' : where.kind === 'held' && where.isFork ? 'fork' : undefined
  const opened = openForTurn(turn, where, {prepared, labels: await turnLabels(scene, options, {prepared, labelled})})
  try {
    const written = await writtenTurn(turn, opened, {prepared, preparation, wishes})
    if (written === undefined) return output.note('The message is empty; nothing was sent.')
    const watch = watchTurn(scene, written.prepared.config, options)
    subscriber = watch.subscriber
    try {
      const end = await run(turn, written, {opened, watch})
      if (end.outcome === 'completed') await written.done()
      settleTurn(scene.invocation, end, {id: opened.id, options, dropped: watch.control.drops})
    } finally {
      watch.end()
    }
  } finally {
    opened.release()
  }
}

const run = async (
  {scene}: QueryTurn,
  {prepared, content, namedAttachments}: WrittenTurn,
  {opened, watch}: {readonly opened: OpenedConversation; readonly watch: TurnWatch},
): Promise<TurnEnd> => {
  /** What was sent to the session's record stays true when the turn fails later. */
  const activate: TurnSubscriber = async (event) => {
    if (event.type === 'turn_started') await scene.activate(opened.id)
  }
  const {output, version, clock, directories, environment} = scene.invocation
  const servers = createLazyPool({directories, environment, version, onNotice: (text) => output.warn(text)})
  await servers.endLeft()
  const turn: ReadyTurn = {
    clock,
    place: scene.place,
    prepared,
    conversation: opened.conversation,
    isNew: opened.isNew,
    content,
    title: opened.title,
    schema: opened.schema,
    control: watch.control,
    subscribers: [activate, watch.subscriber],
    asker: watch.asker,
    session: scene.session,
    namedAttachments,
    pool: () => servers.pool(prepared.config.mcp),
    tasks: scene.invocation.globals.noPersist ? undefined : watch.tasks,
    onProgress: (text) => prepared.config.style.mcp_startup.show && output.note(text),
  }
  try {
    return await runPreparedTurn(turn)
  } finally {
    await servers.close()
  }
}
