import {onSignal} from '../platform/signals.js'

/** What ends a run from outside, in two steps. */
export interface StopSignals {
  /** Ctrl-C, SIGTERM, a hang-up, or a reader of stdout that is gone: end in order. */
  readonly stop: AbortSignal
  /** The same once more, or SIGQUIT: end at once. */
  readonly kill: AbortSignal
  /** The exit code of a run that was stopped: 131 for SIGQUIT, else 130; 0 when nobody reads stdout any more. */
  exitCode(): number
  close(): void
}

/** How long a run that nobody listens to any more may take to end. Unit: milliseconds. */
const unheardMs = 1000

/** Watches the signals that end a run. `close` gives them back their default. */
export const watchStopSignals = (ending: AbortSignal): StopSignals => {
  const stop = new AbortController()
  const kill = new AbortController()
  let code = 130
  let timer: NodeJS.Timeout | undefined
  const onEnding = (): void => {
    code = 0
    stop.abort()
    timer = setTimeout(() => kill.abort(), unheardMs)
  }
  const again = (): void => (stop.signal.aborted ? kill.abort() : stop.abort())
  const removers = [
    onSignal('SIGINT', again),
    onSignal('SIGTERM', again),
    onSignal('SIGHUP', again),
    onSignal('SIGQUIT', () => {
      code = 131
      stop.abort()
      kill.abort()
    }),
  ]
  if (ending.aborted) onEnding()
  ending.addEventListener('abort', onEnding, {once: true})
  return {
    stop: stop.signal,
    kill: kill.signal,
    exitCode: () => code,
    close() {
      clearTimeout(timer)
      for (const remove of removers) remove()
      ending.removeEventListener('abort', onEnding)
    },
  }
}
