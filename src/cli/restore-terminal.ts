import type {TerminalDevice} from '../platform/terminal.js'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * A run that a signal ends in the middle of a question must not leave a raw terminal without a cursor behind. Gives the
 * terminal back and lets the signal do what it does. A signal that somebody else answers is left to them: they take the
 * question back by its own signal.
 * @returns stops watching.
 */
export const restoreOnSignal = (device: TerminalDevice): (() => void) => {
  const watched = signals
    .filter((signal) => process.listenerCount(signal) === 0)
    .map((signal) => ({
      signal,
      listener: () => {
        device.output.write('\u001b[?25h\n')
        device.close()
        stop()
        process.kill(process.pid, signal)
      },
    }))
  const stop = (): void => {
    for (const {signal, listener} of watched) process.off(signal, listener)
  }
  for (const {signal, listener} of watched) process.on(signal, listener)
  return stop
}
