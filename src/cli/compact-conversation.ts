import type {ExecutionContext} from '../bootstrap/execution-context.js'
import type {KnownEvent} from '../conversation/event.js'
import type {ConversationStore} from '../conversation/store.js'
import {countTurns, withTurns} from '../conversation/turns.js'
import {JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {onSignal} from '../platform/signals.js'
import {writesTitles} from '../providers/open-model.js'
import {type CompactionWish, compactedRange, compactionEvent, summarise} from '../turn/compaction.js'
import {prepareTurn} from '../turn/prepare-turn.js'
import type {Invocation} from './invocation.js'

/** What compacting stands on. */
export type CompactDeps = {
  readonly invocation: Invocation
  readonly context: ExecutionContext
  readonly store: ConversationStore
}

/** What is compacted, and how. */
export type CompactRequest = CompactionWish & {
  readonly id: ConversationId
  /** Say what would be done, and do nothing. */
  readonly isDry: boolean
  readonly cfg: readonly string[]
}

/** What was done: turns counted from 1. */
export type Compacted = {
  readonly id: ConversationId
  readonly from: number
  readonly to: number
  readonly summary?: string
}

/**
 * Makes a part of a conversation shorter for the model. A summary is made before the lock is taken: the stream only grows,
 * so the turns stay what they are. Undefined when there is nothing to compact.
 * @throws JpError those of locking, of opening a model and of asking it.
 */
export const compactConversation = async (
  deps: CompactDeps,
  request: CompactRequest,
): Promise<Compacted | undefined> => {
  const conversation = deps.store.read(request.id)
  const range = compactedRange(countTurns(conversation.events), request)
  if (range === undefined) return undefined
  const done = {id: request.id, from: range.from + 1, to: range.to + 1}
  if (request.isDry) return done
  const covered = [...withTurns(conversation.events)].flatMap(([{known}, turn]) =>
    known !== undefined && turn - 1 >= range.from && turn - 1 <= range.to ? [known] : [],
  )
  const summary = request.summary ? await summaryOf(deps, request, covered) : undefined
  const held = deps.store.lock(request.id)
  try {
    held.append([compactionEvent(range, request, summary)])
  } finally {
    held.release()
  }
  return {...done, ...(summary === undefined ? {} : {summary})}
}

const summaryOf = async (
  {invocation, context, store}: CompactDeps,
  {id, cfg}: CompactRequest,
  events: readonly KnownEvent[],
): Promise<string> => {
  const {environment, directories, output} = invocation
  const prepared = await prepareTurn(
    {...context, environment, directories},
    {conversation: store.read(id), cfg, onRetry: ({reason}) => output.note(reason)},
  )
  if (!writesTitles(prepared.model.id)) {
    throw new JpError('usage', `${prepared.model.name} writes no summaries.`, {
      hint: 'Name another: --model PROVIDER/NAME',
    })
  }
  const controller = new AbortController()
  const interrupted = new JpError('interrupted', 'Interrupted: nothing was compacted.')
  const stop = onSignal('SIGINT', () => controller.abort(interrupted))
  try {
    return await summarise(events, prepared.model.model, controller.signal)
  } finally {
    stop()
  }
}
