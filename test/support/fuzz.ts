/**
 * How often a property is tried, ten times as often with `JP_SOAK=1`, and from which seed: `JP_SEED`, else a new one each
 * time. fast-check names the seed of a failure.
 */
export const fuzz = (runs: number): {readonly numRuns: number; readonly seed: number} => ({
  numRuns: process.env['JP_SOAK'] === '1' ? runs * 10 : runs,
  seed: Number(process.env['JP_SEED'] ?? Date.now() % 2 ** 31),
})
