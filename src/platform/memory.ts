import {getHeapStatistics} from 'node:v8'

/** How many times its size a parsed JSON text may take in memory. */
const growth = 6

/** No text may be longer, whatever the memory. Unit: bytes. */
const longestText = 500 * 1024 * 1024

/** The largest JSON text that this process can parse whole without running out of memory. Unit: bytes. */
export const largestParsedBytes = (): number =>
  Math.min(longestText, Math.floor(getHeapStatistics().heap_size_limit / growth))
