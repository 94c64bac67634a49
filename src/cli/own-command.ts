import {join} from 'node:path'
import {packageRoot} from '../platform/package-root.js'

/** How another process of this very jp is started: on the same Node, with these words. */
export const ownCommand = (
  ...words: readonly string[]
): {readonly command: string; readonly args: readonly string[]} => ({
  command: process.execPath,
  args: [join(packageRoot(), 'bin', 'jp.js'), ...words],
})

/** The memory of this process. Unit: bytes. */
export const ownMemory = (): {readonly rss: number; readonly heapUsed: number} => {
  const {rss, heapUsed} = process.memoryUsage()
  return {rss, heapUsed}
}
