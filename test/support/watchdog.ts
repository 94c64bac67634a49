/**
 * Waits no longer than this: what never settles fails the test with what was awaited, instead of hanging it.
 * @param ms generous, for a machine that is busy. Unit: milliseconds.
 * @param told says what was done and what is awaited; asked when the time is over.
 */
export const watched = async <Value>(work: Promise<Value>, ms: number, told: () => string): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came of it within ${ms / 1000} s: ${told()}`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
