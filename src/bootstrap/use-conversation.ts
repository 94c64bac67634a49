import type {ConversationStore} from '../conversation/store.js'
import {hasCode, JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {type HistorySession, recordActivation} from '../session/conversation-history.js'

/** What activating stands on. */
export type UseDeps = {
  readonly store: ConversationStore
  readonly silo: string | undefined
  readonly session: HistorySession | undefined
  readonly clock: Clock
  readonly pid: number
  /** `--no-persist`: session records are read only. */
  readonly isReadOnly: boolean
}

/**
 * Makes a conversation the active one of this session, and marks it as used. One that is in use by another process is
 * activated all the same: whoever uses it marks it.
 * @throws JpError `session_required`, `conversation_archived`, `conversation_corrupt`, `usage`, and as `recordActivation`.
 */
export const useConversation = async (deps: UseDeps, id: ConversationId): Promise<void> => {
  const {silo, session, store, clock} = deps
  if (deps.isReadOnly) throw new JpError('usage', '--no-persist stores nothing, and "jp conversation use" only stores.')
  if (session === undefined || silo === undefined) {
    throw new JpError('session_required', 'This process belongs to no session.', {
      hint: 'Name one: export JP_SESSION=NAME.',
    })
  }
  markUsed(store, id, clock.nowMs())
  await recordActivation({silo, clock, pid: deps.pid}, session, id)
}

const markUsed = (store: ConversationStore, id: ConversationId, nowMs: number): void => {
  try {
    const held = store.lock(id)
    try {
      held.changeMetadata({lastActivatedAtMs: nowMs})
    } finally {
      held.release()
    }
  } catch (error) {
    if (!hasCode(error, 'conversation_locked')) throw error
  }
}
