import type {LockedConversation} from '../../conversation/locked-conversation.js'
import type {ConversationStore} from '../../conversation/store.js'
import {hasCode, JpError} from '../../errors/jp-error.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import {pause} from '../../platform/pause.js'
import type {Prompter} from '../../platform/prompter.js'

/** What came of trying to lock a conversation: it is held, or the person wants something else. */
export type LockAnswer = {readonly kind: 'held'; readonly conversation: LockedConversation} | {readonly kind: 'new'}

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

const pollMs = 100

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

/** Polls until the lock is held, the time is over, or the wait is taken back: then the refusal. */
const waitOnce = async (id: ConversationId, wait: LockWait): Promise<LockedConversation | JpError> => {
  const started = performance.now()
  let told = false
  for (;;) {
    const refusal = tryOnce(id, wait.store)
    if (!(refusal instanceof JpError)) return refusal
    const waitedMs = performance.now() - started
    if (waitedMs >= wait.timeoutMs || wait.signal.aborted) return refusal
    if (!told && waitedMs >= wait.tellAfterMs) {
      told = true
      wait.note(`${refusal.message} Waiting for it …`)
    }
    await pause(Math.min(pollMs, wait.timeoutMs - waitedMs), wait.signal).catch(() => undefined)
  }
}

const tryOnce = (id: ConversationId, store: LockWait['store']): LockedConversation | JpError => {
  try {
    return store.lock(id)
  } catch (error) {
    if (hasCode(error, 'conversation_locked')) return error
    throw error
  }
}

const ask = async (prompter: Prompter, refusal: JpError): Promise<'wait' | 'new'> => {
  const answer = await prompter.choose<'wait' | 'new' | 'cancel'>({
    message: refusal.message,
    choices: [
      {value: 'wait', key: 'w', label: 'Keep waiting'},
      {value: 'new', key: 'n', label: 'Start a new conversation'},
      {value: 'cancel', key: 'c', label: 'Cancel'},
    ],
  })
  if (answer === 'cancel') throw new JpError('interrupted', 'Cancelled: the message was not sent.', {cause: refusal})
  return answer
}
