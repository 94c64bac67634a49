import {hasCode, type JpError} from '../errors/jp-error.js'
import {monotonicMs} from '../platform/clock.js'
import {pause} from '../platform/pause.js'

/** How long to try, and what ends the trying. */
export type LockPatience = {
  /** Unit: milliseconds. */
  readonly timeoutMs: number
  /** Takes the wait back. */
  readonly signal: AbortSignal
  /** Told once, when the wait has lasted `tellAfterMs` (unit: milliseconds). */
  readonly tell?: {readonly afterMs: number; waiting(refusal: JpError): void}
}

const pollMs = 100

/**
 * Takes a conversation's lock, trying again while another process holds it (W19).
 * @param lock one try.
 * @throws JpError `conversation_locked` when the time is over or the wait is taken back, and what `lock` throws.
 */
export const waitForLock = async <Held>(lock: () => Held, patience: LockPatience): Promise<Held> => {
  const {timeoutMs, signal, tell} = patience
  const started = monotonicMs()
  let told = false
  for (;;) {
    try {
      return lock()
    } catch (error) {
      const waitedMs = monotonicMs() - started
      if (!hasCode(error, 'conversation_locked') || waitedMs >= timeoutMs || signal.aborted) throw error
      if (!told && tell !== undefined && waitedMs >= tell.afterMs) {
        told = true
        tell.waiting(error)
      }
      await pause(Math.min(pollMs, timeoutMs - waitedMs), signal).catch(() => undefined)
    }
  }
}
