import {removeFolder} from '../platform/folders.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {type ConversationRoot, copiesOf} from './conversation-roots.js'
import {readDraft} from './draft.js'
import {changedSince} from './drafts.js'
import {notFound} from './located.js'

/**
 * Removes a conversation from every root of the view, the projection first: what an interrupted removal leaves is the
 * durable copy. The caller holds its lock. A damaged conversation can be removed too.
 * @param draftRevision the draft that the caller knows goes with it; undefined: none.
 * @throws JpError `conversation_not_found`, `draft_conflict` (a draft that the caller did not see is kept, and everything
 * with it), `file_unwritable`.
 */
export const removeConversation = (
  roots: readonly ConversationRoot[],
  id: ConversationId,
  draftRevision: string | undefined,
): void => {
  const copies = copiesOf(roots, id)
  if (copies.length === 0) throw notFound(id)
  for (const {directory} of copies) {
    const draft = readDraft(directory)
    if (draft !== undefined && draft.revision !== draftRevision) throw changedSince(id)
  }
  for (const {directory} of [...copies].reverse()) removeFolder(directory)
}
