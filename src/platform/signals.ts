import {monotonicMs} from './clock.js'

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** The signals that jp answers. */
export type EndingSignal = (typeof endingSignals)[number]

/**
 * One key press may arrive twice: from the terminal, and from a launcher (ours, npm, a shell function) that passes it on.
 * Nobody presses a key twice within this time. Unit: milliseconds.
 */
const sameOccasionMs = 30

/** True while some listener would not hear a signal if the process were waiting for a reader or a writer. */
export const hearsSignals = (): boolean => endingSignals.some((signal) => process.listenerCount(signal) > 0)

/**
 * Calls `listener` for each occasion of a signal, at once; gives the function that stops it. Without a listener a signal
 * does what it does by default.
 */
export const onSignal = (signal: EndingSignal, listener: () => void): (() => void) => {
  let lastMs = Number.NEGATIVE_INFINITY
  const receive = (): void => {
    const nowMs = monotonicMs()
    const isEcho = nowMs - lastMs < sameOccasionMs
    lastMs = nowMs
    if (!isEcho) listener()
  }
  process.on(signal, receive)
  return () => {
    process.off(signal, receive)
  }
}
