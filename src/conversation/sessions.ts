import type {ConversationId, WorkspaceId} from '../platform/id-grammar.js'
import type {Steps} from '../platform/steps.js'
import {type ConversationRoot, type Copy, copiesOf, readShelf} from './conversation-roots.js'
import type {ConversationEntry} from './entry.js'
import {readLocalFacts} from './local-metadata.js'
import {deriveSessionId, type SessionId} from './session-id.js'

/** The session id of a conversation: the one that a caller gave it, else the derived one (D31). */
export const sessionOf = (roots: readonly ConversationRoot[], workspace: WorkspaceId, id: ConversationId): SessionId =>
  sessionOfEntry(workspace, {id, sessionId: recordedIn(copiesOf(roots, id))})

/** As {@link sessionOf}, of one that was listed: nothing is read. */
export const sessionOfEntry = (
  workspace: WorkspaceId,
  {id, sessionId}: Pick<ConversationEntry, 'id' | 'sessionId'>,
): SessionId => sessionId ?? deriveSessionId(workspace, id)

/** The conversation with this session id; undefined when there is none. A look at one conversation is a step. */
export function* findSession(
  roots: readonly ConversationRoot[],
  workspace: WorkspaceId,
  session: SessionId,
): Steps<ConversationId | undefined> {
  const copies: Copy[] = []
  for (const root of roots) {
    for (const archived of [false, true]) {
      copies.push(...readShelf(root, archived).copies)
      yield
    }
  }
  for (const {id} of copies) {
    // One that was given another id answers to that one alone.
    if (deriveSessionId(workspace, id) === session && sessionOf(roots, workspace, id) === session) return id
    yield
  }
  for (const copy of copies) {
    if (recordedIn([copy]) === session) return copy.id
    yield
  }
  return undefined
}

const recordedIn = (copies: readonly Copy[]): SessionId | undefined => {
  const own = copies.find(({root}) => root.place === 'silo')
  return own === undefined ? undefined : readLocalFacts(own.directory).sessionId
}
