import type {Conversation} from '../../conversation/conversation.js'
import type {LockedConversation} from '../../conversation/locked-conversation.js'
import {announceRetry} from '../../turn/announce-retry.js'
import type {Preparation, PreparedTurn} from '../../turn/prepare-turn.js'
import {runPreparedTurn} from '../../turn/run-prepared-turn.js'
import type {TurnEnd} from '../../turn/turn-end.js'
import type {TurnSubscriber} from '../../turn/turn-event.js'
import {type OpenedConversation, openForTurn} from './open-for-turn.js'
import {prepareQuery} from './prepare-query.js'
import type {QueryOptions} from './query-options.js'
import type {QueryScene} from './query-scene.js'
import {settleTurn} from './settle-turn.js'
import {type TurnWatch, watchTurn} from './watch-turn.js'

/** One turn that was asked for. */
export type QueryTurn = {
  readonly scene: QueryScene
  readonly options: QueryOptions
  /** Undefined: what is stored and has no answer is sent again. */
  readonly message: string | undefined
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
    cfg: options.cfg,
    onRetry: (notice) => void subscriber(announceRetry(notice)),
  }
  const prepared = await prepareQuery(scene, preparation, options.toolFlags)
  for (const notice of prepared.notices) output.warn(notice.text)
  const opened = openForTurn(turn, where, prepared)
  const watch = watchTurn(scene, prepared.config, options)
  subscriber = watch.subscriber
  try {
    settleTurn(scene.invocation, await run(turn, prepared, {opened, watch}), {id: opened.conversation.id, options})
  } finally {
    watch.end()
    opened.release()
  }
}

type Running = {readonly opened: OpenedConversation; readonly watch: TurnWatch}

const run = ({scene, options}: QueryTurn, prepared: PreparedTurn, {opened, watch}: Running): Promise<TurnEnd> => {
  /** What was sent to the session's record stays true when the turn fails later. */
  const activate: TurnSubscriber = async (event) => {
    if (event.type === 'turn_started') await scene.activate(opened.id)
  }
  return runPreparedTurn({
    clock: scene.invocation.clock,
    place: scene.place,
    prepared,
    conversation: opened.conversation,
    isNew: opened.isNew,
    content: opened.content,
    title: opened.title,
    schema: options.schema,
    control: watch.control,
    subscribers: [activate, watch.subscriber],
    asker: watch.asker,
    session: scene.session,
  })
}
