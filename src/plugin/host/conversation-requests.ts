import {JpError} from '../../errors/jp-error.js'
import {type ConversationId, parseConversationId} from '../../platform/id-grammar.js'
import type {ToPlugin} from '../../protocol/host-to-plugin.js'
import type {ToHostOf} from '../../protocol/plugin-to-host.js'
import type {OpenWorkspace} from './open-workspace.js'
import type {EncodedEvents} from './outbox.js'

/**
 * The id that a plugin sent, in our spelling.
 * @throws JpError `conversation_not_found` for what is no id.
 */
export const conversationId = (text: string): ConversationId => {
  const id = parseConversationId(text)
  if (id !== undefined) return id
  throw new JpError('conversation_not_found', `${JSON.stringify(text)} is no conversation id.`)
}

/** `list_conversations`: reads what is on disk now (S30). */
export const listConversations = ({store}: OpenWorkspace): ToPlugin => ({
  type: 'conversations',
  data: store.list().entries.map((entry) => entry.listed),
})

/** `read_events`: the whole stream, decoded, deltas and unknown events included. */
export const readEvents = (
  {store}: OpenWorkspace,
  {conversation}: ToHostOf<'read_events'>,
  pid: number,
): EncodedEvents => {
  const id = conversationId(conversation)
  const {title, lastRoot, events} = store.readLine(id)
  const holder = store.lockHolder(id)
  return {
    type: 'events',
    conversation,
    ...(holder === undefined ? {} : {lock: holder.pid === pid ? 'here' : 'elsewhere'}),
    ...(title === undefined ? {} : {title}),
    ...(lastRoot === undefined ? {} : {last_root: lastRoot}),
    data: events,
  }
}

/** `set_title`: blank or absent clears it. */
export const setTitle = ({store}: OpenWorkspace, {conversation, title}: ToHostOf<'set_title'>): ToPlugin => {
  const locked = store.lock(conversationId(conversation))
  try {
    locked.changeMetadata({title: title === undefined || title === null || title.trim() === '' ? null : title})
  } finally {
    locked.release()
  }
  return {type: 'done'}
}

/** `archive_conversation`. */
export const archiveConversation = (
  {store}: OpenWorkspace,
  {conversation}: ToHostOf<'archive_conversation'>,
): ToPlugin => {
  const locked = store.lock(conversationId(conversation))
  try {
    locked.setArchived(true)
  } finally {
    locked.release()
  }
  return {type: 'done'}
}
