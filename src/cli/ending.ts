import {JpError} from '../errors/jp-error.js'
import {errnoOf, reasonOf} from '../platform/file-errors.js'
import {hearsSignals} from '../platform/signals.js'
import {openStandardStreams, type StandardStreams} from './standard-streams.js'

/** How a run ends: naturally, when the event loop is empty, with all output written. */
export interface Ending {
  /** Aborted when stdout takes nothing more: its reader is gone, or it can't be written. */
  readonly signal: AbortSignal
  /** What the run writes to. */
  readonly streams: StandardStreams
  /** The command has ended. */
  settle(): void
}

/**
 * Our own ending instead of oclif's `execute` and `flush`, which lose output of slow readers. A closed pipe ends the
 * output quietly with 0 (Q8); an output that can't be written (a full disk) is exit 1 and one error.
 * @param report tells `output_failed` on stderr, as the format of the run says (Q3).
 * @param isWatching something besides signals must be heard during the whole run: a launcher above us.
 */
export const createEnding = (report: (error: JpError) => void, isWatching: boolean): Ending => {
  const controller = new AbortController()
  let failed = false
  const onError = (error: Error): void => {
    if (errnoOf(error) === 'EPIPE' || errnoOf(error) === 'ERR_STREAM_DESTROYED') {
      controller.abort(error)
      return
    }
    if (failed) return
    failed = true
    process.exitCode = 1
    report(new JpError('output_failed', `Can't write the output: ${reasonOf(error)}.`, {cause: error}))
    // Who waits for the output must not wait for ever: a turn stops, keeps what it has, and lets its lock go.
    controller.abort(error)
  }
  const streams = openStandardStreams({
    onError: {
      stdout: onError,
      stderr(error) {
        if (errnoOf(error) !== 'EPIPE') process.exitCode = 1
      },
    },
    mayBlock: () => !isWatching && !hearsSignals(),
  })
  return {
    signal: controller.signal,
    streams,
    settle() {
      if (controller.signal.aborted) process.exitCode = failed ? 1 : 0
    },
  }
}
