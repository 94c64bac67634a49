import {getHeapStatistics, setFlagsFromString} from 'node:v8'

/** How many times its size a parsed JSON text may take in memory. */
const growth = 6

/** No text may be longer, whatever the memory. Unit: bytes. */
const longestText = 500 * 1024 * 1024

/** The largest JSON text that this process can parse whole without running out of memory. Unit: bytes. */
export const largestParsedBytes = (): number =>
  Math.min(longestText, Math.floor(getHeapStatistics().heap_size_limit / growth))

/**
 * For a process that answers for hours: what is dropped at once is collected in the room that it has now. V8 would double
 * that room again and again, and a host of 20 checkouts would hold 240 MB where it needs 120 (Q19).
 */
export const stayLean = (): void => setFlagsFromString('--semi-space-growth-factor=1')
