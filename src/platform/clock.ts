/** The time. Injected wherever a result depends on it, so that tests can stop it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number
}

/** The machine's own clock. */
export const systemClock: Clock = {nowMs: () => Date.now()}

/** RFC 3339 in UTC with milliseconds, as every file but those of a conversation writes time. */
export const rfc3339 = (ms: number): string => new Date(ms).toISOString()

/**
 * Milliseconds that only ever grow, for how long something took. `performance` says the same, but loading it takes 3 ms
 * of a run.
 */
export const monotonicMs = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1_000_000
}
