import {type ConversationId, conversationIdOf} from '../../platform/id-grammar.js'
import {newConversation} from '../../turn/new-conversation.js'
import type {PreparedTurn} from '../../turn/prepare-turn.js'
import type {TurnConversation} from '../../turn/turn-log.js'
import {unstoredConversation} from '../../turn/unstored.js'
import {elsewhereNotice} from './lock-for-turn.js'
import type {QueryTurn, TurnIn} from './query-turn.js'

/** A conversation that is ready for a turn. */
export type OpenedConversation = {
  readonly id: ConversationId
  readonly conversation: TurnConversation
  readonly isNew: boolean
  /** What is sent; undefined sends again what is stored and has no answer. */
  readonly content: string | undefined
  /** A title to give it with the first persist. */
  readonly title: string | undefined
  /** Gives up what was taken here; what the caller locked is the caller's. */
  release(): void
}

/** What is sent when there is nothing to say and nothing without an answer (facts 8.3). */
const goOn = 'Continue.'

/** Opens the conversation of a turn; a new one is reserved, and on the disk only with its first event. */
export const openForTurn = (turn: QueryTurn, where: TurnIn, prepared: PreparedTurn): OpenedConversation => {
  if (where.kind === 'new') return openNew(turn, where.isDefault, prepared)
  const {scene, options, message} = turn
  const {output, globals} = scene.invocation
  const read = where.kind === 'held' ? where.conversation.read() : where.conversation
  if (where.kind === 'held') {
    const notice = elsewhereNotice(where.conversation, scene.place.checkout.root)
    if (notice !== undefined) output.note(notice)
  }
  const last = read.events.findLast(({known}) => known !== undefined && known.type !== 'config_delta')
  const isUnanswered = last?.type === 'chat_request'
  return {
    id: read.id,
    conversation:
      where.kind === 'held' && !globals.noPersist ? where.conversation : unstoredConversation(read.id, read),
    isNew: false,
    content: message ?? (isUnanswered ? undefined : goOn),
    title: options.title,
    release: () => undefined,
  }
}

const openNew = (turn: QueryTurn, isDefault: boolean, prepared: PreparedTurn): OpenedConversation => {
  const {scene, options} = turn
  const {output, globals, clock} = scene.invocation
  const content = turn.message ?? goOn
  const shared = {isNew: true, content, title: undefined}
  const nowMs = clock.nowMs()
  if (globals.noPersist) {
    const id = conversationIdOf(Math.floor(nowMs / 100))
    return {...shared, id, conversation: unstoredConversation(id, undefined), release: () => undefined}
  }
  const configured = newConversation(prepared, content)
  const locked = scene.store.create({
    ...configured,
    title: options.title ?? configured.title,
    local: options.local ?? configured.local,
    labels: {...configured.labels, ...options.labels},
    expiresAtMs: options.expiresInMs === undefined ? undefined : nowMs + options.expiresInMs,
  })
  if (isDefault) {
    output.note(`Started a new conversation, ${locked.id}. To continue another: jp query --id ID …`)
  }
  return {...shared, id: locked.id, conversation: locked, release: () => locked.release()}
}
