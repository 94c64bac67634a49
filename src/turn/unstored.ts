import type {Conversation} from '../conversation/conversation.js'
import type {NewEvent, StoredEvent} from '../conversation/event.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {TurnConversation} from './turn-log.js'

/**
 * A conversation for a run that stores nothing (`--no-persist`): a turn sees what is stored, and what it adds is gone when
 * it ends. No lock is needed.
 */
export const unstoredConversation = (id: ConversationId, stored: Conversation | undefined): TurnConversation => {
  const events: StoredEvent[] = [...(stored?.events ?? [])]
  return {
    id,
    read: () => ({events, title: stored?.title}),
    append: (added) => void events.push(...added.map(remembered)),
    recordRoot: () => undefined,
    changeMetadata: () => undefined,
  }
}

const remembered = (event: NewEvent): StoredEvent => {
  const timestamp = event.timestamp ?? ''
  return {type: event.type, timestamp, value: {...event}, known: {...event, timestamp}, text: ''}
}
