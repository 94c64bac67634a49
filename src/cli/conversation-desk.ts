import type {ExecutionContext} from '../bootstrap/execution-context.js'
import type {ConversationEntry} from '../conversation/entry.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import type {ConversationStore} from '../conversation/store.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {Invocation} from './invocation.js'
import type {Output} from './output.js'

/** What the work of a command about conversations stands on: where it acts, and whom it can ask. */
export interface ConversationDesk {
  readonly invocation: Invocation
  readonly context: ExecutionContext
  readonly store: ConversationStore
  readonly output: Output
  /** @throws JpError as `resolveTarget`. */
  resolveTargets(typed: readonly string[]): Promise<readonly ConversationEntry[]>
  /**
   * Shows what will happen, a line each, and asks whether it shall. Without a terminal `isYes` has to say so.
   * @throws JpError `answer_required`, `selection_cancelled`, `usage` with `--no-persist`.
   */
  confirm(question: string, plan: readonly string[], isYes: boolean): Promise<void>
  /** Acts under the lock of a conversation. @throws JpError `conversation_locked`, `usage` with `--no-persist`. */
  locked<Result>(id: ConversationId, act: (held: LockedConversation) => Result, archived?: boolean): Result
}
