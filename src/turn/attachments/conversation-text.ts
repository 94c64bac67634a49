import type {Conversation} from '../../conversation/conversation.js'

/** The words of a conversation, for another one to read: requests and answers, without reasoning and tool calls. */
export const conversationText = ({title, events}: Pick<Conversation, 'title' | 'events'>): string => {
  const entries = events.flatMap(({known}) => {
    if (known?.type === 'chat_request') return [`## User\n\n${known.content}`]
    return known?.type === 'chat_response' && 'message' in known ? [`## Assistant\n\n${known.message}`] : []
  })
  return [...(title === undefined ? [] : [`# ${title}`]), ...entries].join('\n\n')
}
