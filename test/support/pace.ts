import {spawnSync} from 'node:child_process'

/** What starting Node takes, at most, on a machine that has nothing else to do. Unit: milliseconds. */
const quietMs = 100

/**
 * The bound for what must be done within so long: exact on a machine that is at leisure, and wider by what a busy one
 * takes longer to start Node now.
 */
export const withinMs = (ms: number): number => {
  const start = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return ms + 3 * Math.max(0, performance.now() - start - quietMs)
}
