import type {Draft} from '../../conversation/draft.js'
import {JpError} from '../../errors/jp-error.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import type {ToPlugin} from '../../protocol/host-to-plugin.js'
import type {ToHostOf} from '../../protocol/plugin-to-host.js'
import {conversationId} from './conversation-requests.js'
import type {OpenWorkspace} from './open-workspace.js'

/**
 * `read_draft`: without user-local storage, or without a draft, the content is empty and there is no revision.
 * @throws JpError `conversation_not_found`, `file_unreadable`.
 */
export const answerReadDraft = ({store}: OpenWorkspace, {conversation}: ToHostOf<'read_draft'>): ToPlugin => {
  const id = conversationId(conversation)
  if (store.standing(id) === 'gone') throw notFound(id)
  return draftAnswer(conversation, store.drafts.read(id))
}

/**
 * `write_draft`: the answer to a stale revision is the stored draft with `conflict`, and nothing is written.
 * @throws JpError `conversation_not_found`, `conversation_archived`, `draft_unavailable`, `disk_full`, `file_unwritable`.
 */
export const answerWriteDraft = async (
  {store}: OpenWorkspace,
  {conversation, content, revision}: ToHostOf<'write_draft'>,
): Promise<ToPlugin> => {
  const id = conversationId(conversation)
  const standing = store.standing(id)
  if (standing === 'gone') throw notFound(id)
  if (standing === 'archived') throw new JpError('conversation_archived', `Conversation ${id} is archived.`)
  const written = await store.drafts.write(id, content, revision ?? undefined)
  const answer = draftAnswer(conversation, written.draft)
  return written.state === 'conflict' ? {...answer, conflict: true} : answer
}

/**
 * Removes the draft of a conversation whose words a turn has stored (facts 2.11). A draft that can't be removed, or that
 * changed meanwhile, stays: the turn is what counts.
 */
export const dropDraft = async ({store}: OpenWorkspace, id: ConversationId): Promise<void> => {
  try {
    const draft = store.drafts.read(id)
    if (draft !== undefined) await store.drafts.remove(id, draft.revision)
  } catch (error) {
    if (!(error instanceof JpError)) throw error
  }
}

const draftAnswer = (conversation: string, draft: Draft | undefined) => ({
  type: 'draft' as const,
  conversation,
  content: draft?.content ?? '',
  ...(draft === undefined ? {} : {revision: draft.revision}),
})

const notFound = (id: ConversationId): JpError =>
  new JpError('conversation_not_found', `There is no conversation ${id} here.`)
