/**
 * Waits. Rejects with the signal's reason when it is aborted first; the timer is gone then.
 * @param ms how long. Unit: milliseconds.
 */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason)
      return
    }
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, {once: true})
  })

/**
 * Settles when the promise does, or after this time; the timer is gone then, so that it does not keep jp alive.
 * @param ms how long to wait at most. Unit: milliseconds.
 */
export const settledWithin = (promise: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const settle = (): void => {
      clearTimeout(timer)
      resolve()
    }
    promise.then(settle, settle)
  })
