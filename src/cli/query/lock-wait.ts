import type {LockedConversation} from '../../conversation/locked-conversation.js'
import type {ConversationStore} from '../../conversation/store.js'
import {hasCode, JpError} from '../../errors/jp-error.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import type {Prompter} from '../../platform/prompter.js'
import {waitForLock} from '../../turn/wait-for-lock.js'

/** What came of trying to lock a conversation: it is held, or the person wants something else. */
export type LockAnswer =
  | {readonly kind: 'held'; readonly conversation: LockedConversation}
  | {readonly kind: 'new' | 'fork'}

/** What waiting for a lock stands on. */
export type LockWait = {
  readonly store: Pick<ConversationStore, 'lock'>
  /** Undefined where nobody may be asked. */
  readonly prompter: Prompter | undefined
  readonly note: (text: string) => void
  /** How long to wait before asking or giving up. Unit: milliseconds. */
  readonly timeoutMs: number
  /** How long to wait before saying so. Unit: milliseconds. */
  readonly tellAfterMs: number
  /** Takes the wait back: Ctrl-C. */
  readonly signal: AbortSignal
}

/**
 * Locks a conversation, waiting while another process holds it (W19). When the time is over, or at Ctrl-C, a terminal is
 * asked what to do; without one the holder is named.
 * @throws JpError `conversation_locked` after the time, `interrupted`, and what locking throws.
 */
export const lockPatiently = async (id: ConversationId, wait: LockWait): Promise<LockAnswer> => {
  for (;;) {
    const result = await waitOnce(id, wait)
    if (!(result instanceof JpError)) return {kind: 'held', conversation: result}
    if (wait.prompter === undefined) throw result
    const answer = await ask(wait.prompter, result)
    if (answer !== 'wait') return {kind: answer}
  }
}

/** One wait: the lock, or the refusal when the time is over or the wait is taken back. */
const waitOnce = async (id: ConversationId, wait: LockWait): Promise<LockedConversation | JpError> => {
  const {store, timeoutMs, signal, tellAfterMs} = wait
  const waiting = ({message}: JpError): void => wait.note(`${message} Waiting for it …`)
  try {
    return await waitForLock(() => store.lock(id), {timeoutMs, signal, tell: {afterMs: tellAfterMs, waiting}})
  } catch (error) {
    if (hasCode(error, 'conversation_locked')) return error
    throw error
  }
}

const ask = async (prompter: Prompter, refusal: JpError): Promise<'wait' | 'new' | 'fork'> => {
  const answer = await prompter.choose<'wait' | 'new' | 'fork' | 'cancel'>({
    message: refusal.message,
    choices: [
      {value: 'wait', key: 'w', label: 'Keep waiting'},
      {value: 'new', key: 'n', label: 'Start a new conversation'},
      {value: 'fork', key: 'f', label: 'Work in a fork of it'},
      {value: 'cancel', key: 'c', label: 'Cancel'},
    ],
  })
  if (answer === 'cancel') throw new JpError('interrupted', 'Cancelled: the message was not sent.', {cause: refusal})
  return answer
}
