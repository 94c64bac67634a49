import type {ExecutionContext} from '../bootstrap/execution-context.js'
import type {ConversationEntry} from '../conversation/entry.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import type {ConversationStore} from '../conversation/store.js'
import {JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {TurnPlace} from '../turn/turn-place.js'
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

/** Where a turn of the desk would run: its checkout, with what the configuration and a model need. */
export const turnPlaceOf = ({
  invocation: {environment, directories},
  context,
}: Pick<ConversationDesk, 'invocation' | 'context'>): TurnPlace => ({...context, environment, directories})

/** @throws JpError `usage` with `--no-persist`. */
export const assertPersists = ({globals}: Invocation): void => {
  if (!globals.noPersist) return
  throw new JpError('usage', '--no-persist stores nothing, and this command only changes what is stored.')
}
