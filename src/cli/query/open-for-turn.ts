import type {StoredEvent} from '../../conversation/event.js'
import {type ConversationId, conversationIdOf} from '../../platform/id-grammar.js'
import type {Labels} from '../../turn/configured-labels.js'
import type {JsonSchema} from '../../turn/json-schema.js'
import {newConversation} from '../../turn/new-conversation.js'
import type {PreparedTurn} from '../../turn/prepare-turn.js'
import type {TurnConversation} from '../../turn/turn-log.js'
import {unstoredConversation} from '../../turn/unstored.js'
import {elsewhereNotice} from './lock-for-turn.js'
import type {QueryTurn, TurnIn} from './query-turn.js'
import {replayed} from './replay.js'

/** A conversation that is ready for a turn. */
export type OpenedConversation = {
  readonly id: ConversationId
  readonly conversation: TurnConversation
  readonly isNew: boolean
  /** What is sent; undefined sends again what is stored and has no answer. */
  readonly content: string | undefined
  /** The shape of the answer, when one is asked for. */
  readonly schema: JsonSchema | undefined
  /** A title to give it with the first persist. */
  readonly title: string | undefined
  /** Gives up what was taken here; what the caller locked is the caller's. */
  release(): void
}

/** What is sent when there is nothing to say and nothing without an answer (facts 8.3). */
const goOn = 'Continue.'

/** Opens the conversation of a turn; a new one is reserved, and on the disk only with its first event. */
export const openForTurn = (
  turn: QueryTurn,
  where: TurnIn,
  {prepared, labels}: {readonly prepared: PreparedTurn; readonly labels: Labels},
): OpenedConversation => {
  if (where.kind === 'new') return openNew(turn, where.isDefault, {prepared, labels})
  const {scene, options, message} = turn
  const {output, globals} = scene.invocation
  const read = where.kind === 'held' ? where.conversation.read() : where.conversation
  if (where.kind === 'held') {
    const notice = elsewhereNotice(where.conversation, scene.place.checkout.root)
    if (notice !== undefined) output.note(notice)
  }
  const stored = where.kind === 'held' && !globals.noPersist
  const conversation = stored ? where.conversation : unstoredConversation(read.id, read)
  if (stored && Object.keys(labels).length > 0) {
    where.conversation.changeMetadata({labels: {...read.metadata.labels, ...labels}})
  }
  const opened = {id: read.id, isNew: false, title: options.title, release: () => undefined}
  if (hasNoAnswer(read.events) && message === undefined) {
    return {...opened, conversation, content: undefined, schema: options.schema}
  }
  if (!options.replay) return {...opened, conversation, content: message ?? goOn, schema: options.schema}
  const replay = replayed(conversation)
  return {...opened, ...replay, schema: options.schema ?? replay.schema}
}

const hasNoAnswer = (events: readonly StoredEvent[]): boolean =>
  events.findLast(({type, known}) => known !== undefined && type !== 'config_delta' && type !== 'compaction')?.type ===
  'chat_request'

const openNew = (
  turn: QueryTurn,
  isDefault: boolean,
  {prepared, labels}: {readonly prepared: PreparedTurn; readonly labels: Labels},
): OpenedConversation => {
  const {scene, options} = turn
  const {output, globals, clock} = scene.invocation
  const content = turn.message ?? goOn
  const shared = {isNew: true, content, schema: options.schema, title: undefined}
  if (globals.noPersist) {
    const id = conversationIdOf(Math.floor(clock.nowMs() / 100))
    return {...shared, id, conversation: unstoredConversation(id, undefined), release: () => undefined}
  }
  const configured = newConversation(prepared, content)
  const locked = scene.store.create({
    ...configured,
    title: options.title ?? configured.title,
    local: options.local ?? configured.local,
    labels,
    expiresInMs: options.expiresInMs,
  })
  if (isDefault) {
    output.note(`Started a new conversation, ${locked.id}. To continue another: jp query --id ID …`)
  }
  return {...shared, id: locked.id, conversation: locked, release: () => locked.release()}
}
