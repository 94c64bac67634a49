import type {Conversation} from '../conversation/conversation.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {TurnConversation} from './turn-log.js'

/**
 * A conversation for a run that stores nothing (`--no-persist`): a turn sees what is stored, and what it adds is gone when
 * it ends. No lock is needed.
 */
export const unstoredConversation = (id: ConversationId, stored: Conversation | undefined): TurnConversation => ({
  id,
  read: () => ({events: stored?.events ?? [], title: stored?.title}),
  append: () => undefined,
  recordRoot: () => undefined,
  changeMetadata: () => undefined,
})
