import {onSignal} from '../platform/signals.js'

/** Settles at SIGINT or SIGTERM: a server's way to end well. SIGHUP, which would end it, changes nothing. */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    onSignal('SIGHUP', () => undefined)
    const remove = [onSignal('SIGINT', () => done()), onSignal('SIGTERM', () => done())]
    const done = (): void => {
      // A second signal ends at once, as it does by default.
      for (const off of remove) off()
      resolve()
    }
  })
