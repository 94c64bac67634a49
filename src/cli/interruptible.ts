import {JpError} from '../errors/jp-error.js'
import {onSignal} from '../platform/signals.js'

/**
 * Does something that Ctrl-C ends.
 * @param message what has not been done then.
 * @throws JpError `interrupted`, and what `act` throws.
 */
export const interruptible = async <Result>(
  message: string,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController()
  const stop = onSignal('SIGINT', () => controller.abort(new JpError('interrupted', message)))
  try {
    return await act(controller.signal)
  } finally {
    stop()
  }
}
