import type {StoredEvent} from '../../conversation/event.js'
import {JpError} from '../../errors/jp-error.js'
import type {TurnConversation} from '../../turn/turn-log.js'

/** A request that is sent again. */
export type Replay = {
  /** The conversation as the model sees it: as it was before the request. What is stored stays (W18). */
  readonly conversation: TurnConversation
  readonly content: string
  readonly schema: object | undefined
}

/** The last request of a conversation, to be sent again as if it had no answer. @throws JpError `usage` when there is none. */
export const replayed = (conversation: TurnConversation): Replay => {
  const {events, title} = conversation.read()
  const at = events.findLastIndex(({type}) => type === 'chat_request')
  const request = events[at]?.known
  if (request?.type !== 'chat_request') {
    throw new JpError('usage', `There is no request in ${conversation.id} to send again.`)
  }
  const before = events.filter((event, index) => index < at || isGlobal(event))
  return {
    conversation: {
      id: conversation.id,
      read: () => ({events: before, title}),
      append: (added) => conversation.append(added),
      recordRoot: (root) => conversation.recordRoot(root),
      changeMetadata: (change) => conversation.changeMetadata(change),
    },
    content: request.content,
    schema: request.schema,
  }
}

const isGlobal = ({type}: StoredEvent): boolean => type === 'config_delta' || type === 'compaction'
