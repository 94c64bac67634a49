import {JpError} from '../../errors/jp-error.js'
import {pause} from '../../platform/pause.js'

/** How long an answer is waited for. */
export type Patience = {
  /** Unit: milliseconds. */
  readonly answerMs: number
  readonly signal?: AbortSignal
  /** Takes the answer that came when nobody waited for it. */
  readonly whenLate?: (answer: unknown) => void
}

/**
 * Waits for an answer so long and no longer. That the agent ends rejects the answer itself.
 * @throws JpError `agent_failed` when the time is over; the reason of the signal.
 */
export const inTime = async (answer: Promise<unknown>, {answerMs, signal, whenLate}: Patience): Promise<unknown> => {
  const answered = new AbortController()
  const over = AbortSignal.any(signal === undefined ? [answered.signal] : [answered.signal, signal])
  const late = pause(answerMs, over).then(() => {
    if (whenLate !== undefined) answer.then(whenLate, () => undefined)
    throw new JpError('agent_failed', 'The agent did not answer in time.')
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    answered.abort()
  }
}
