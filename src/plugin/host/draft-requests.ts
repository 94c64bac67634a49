import {join} from 'node:path'
import {conversationRoots, copiesOf} from '../../conversation/conversation-roots.js'
import {type Draft, readDraft, removeDraft, writeDraft} from '../../conversation/draft.js'
import {JpError} from '../../errors/jp-error.js'
import {type Clock, rfc3339} from '../../platform/clock.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import {withLock} from '../../platform/lock.js'
import type {ToPlugin} from '../../protocol/host-to-plugin.js'
import type {ToHostOf} from '../../protocol/plugin-to-host.js'
import {conversationId} from './conversation-requests.js'
import type {OpenWorkspace} from './open-workspace.js'

/** `read_draft`: without user-local storage, or without a draft, the content is empty and there is no revision. */
export const answerReadDraft = (workspace: OpenWorkspace, {conversation}: ToHostOf<'read_draft'>): ToPlugin => {
  const id = conversationId(conversation)
  if (workspace.store.find(id) === undefined) throw notFound(id)
  const directory = userLocalFolder(workspace, id)
  return draftAnswer(conversation, directory === undefined ? undefined : readDraft(directory))
}

/**
 * `write_draft`: the answer to a stale revision is the stored draft with `conflict`, and nothing is written.
 * @throws JpError `conversation_not_found`, `conversation_archived`, `draft_unavailable`.
 */
export const answerWriteDraft = async (
  workspace: OpenWorkspace,
  message: ToHostOf<'write_draft'>,
  {pid, clock}: {readonly pid: number; readonly clock: Clock},
): Promise<ToPlugin> => {
  const id = conversationId(message.conversation)
  const entry = workspace.store.find(id)
  if (entry === undefined) throw notFound(id)
  if (entry.archived) throw new JpError('conversation_archived', `Conversation ${id} is archived.`)
  if (workspace.silo === undefined) throw noStorage()
  const lock = join(workspace.silo, 'locks', `draft-${id}.lock`)
  const written = await withLock(lock, {pid, acquired_at: rfc3339(clock.nowMs())}, () => {
    const directory = userLocalFolder(workspace, id)
    if (directory === undefined) throw noStorage()
    return writeDraft(directory, message.content, message.revision ?? undefined)
  })
  const answer = draftAnswer(message.conversation, written.draft)
  return written.state === 'conflict' ? {...answer, conflict: true} : answer
}

/**
 * Removes the draft of a conversation whose words a turn has stored (facts 2.11). A draft that can't be removed stays: the
 * turn is what counts.
 */
export const removeDraftOf = (workspace: OpenWorkspace, id: ConversationId): void => {
  try {
    const directory = userLocalFolder(workspace, id)
    if (directory !== undefined) removeDraft(directory)
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

/** Looked up at each use: a new title renames the folder. */
const userLocalFolder = ({checkout, silo}: OpenWorkspace, id: ConversationId): string | undefined =>
  copiesOf(conversationRoots(checkout.root, silo), id).find((copy) => copy.root.place === 'silo')?.directory

const notFound = (id: ConversationId): JpError =>
  new JpError('conversation_not_found', `There is no conversation ${id} here.`)

const noStorage = (): JpError =>
  new JpError('draft_unavailable', 'Drafts are kept in user-local storage, and this conversation has none.')
