/**
 * How often a property is tried, ten times as often with `JP_SOAK=1`, and from which seed: `JP_SEED`, else a new one each
 * time. fast-check names the seed of a failure.
 */
export const fuzz = (runs: number): {readonly numRuns: number; readonly seed: number} => ({
  numRuns: process.env['JP_SOAK'] === '1' ? runs * 10 : runs,
  seed,
})

/** The seed of this run: `JP_SEED`, else a new one. Titles print it. */
export const seed = Number(process.env['JP_SEED'] ?? Date.now() % 2 ** 31)

let state = seed >>> 0

/** A number from 0 to 1 that follows from the seed alone (mulberry32). */
export const random = (): number => {
  state = (state + 0x6d2b79f5) >>> 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
