import type {ConversationId, WorkspaceId} from '../platform/id-grammar.js'
import {type ConversationRoot, type Copy, copiesOf, readShelf} from './conversation-roots.js'
import {readSessionId} from './local-metadata.js'
import {deriveSessionId, type SessionId} from './session-id.js'

/** The session id of a conversation: the one that a caller gave it, else the derived one (D31). */
export const sessionOf = (roots: readonly ConversationRoot[], workspace: WorkspaceId, id: ConversationId): SessionId =>
  recordedIn(copiesOf(roots, id)) ?? deriveSessionId(workspace, id)

/** The conversation with this session id; undefined when there is none. */
export const findSession = (
  roots: readonly ConversationRoot[],
  workspace: WorkspaceId,
  session: SessionId,
): ConversationId | undefined => {
  const copies = roots.flatMap((root) => [false, true].flatMap((archived) => readShelf(root, archived).copies))
  const derived = copies.find(({id}) => deriveSessionId(workspace, id) === session)
  // One that was given another id answers to that one alone.
  if (derived !== undefined && sessionOf(roots, workspace, derived.id) === session) return derived.id
  return copies.find((copy) => recordedIn([copy]) === session)?.id
}

const recordedIn = (copies: readonly Copy[]): SessionId | undefined => {
  const own = copies.find(({root}) => root.place === 'silo')
  return own === undefined ? undefined : readSessionId(own.directory)
}
