import {builtin} from './builtin.js'

/** How many times its size a parsed JSON text may take in memory. */
const growth = 6

/** No text may be longer, whatever the memory. Unit: bytes. */
const longestText = 500 * 1024 * 1024

/** A text as short as this is parsed in any heap that Node starts with. Unit: bytes. */
const shortText = 2 * 1024 * 1024

/** The largest JSON text that this process can parse whole without running out of memory. Unit: bytes. */
export const largestParsedBytes = (): number =>
  Math.min(longestText, Math.floor(builtin('node:v8').getHeapStatistics().heap_size_limit / growth))

/** True when a JSON text of this size can be parsed whole. Asks about the memory only where that matters. Unit: bytes. */
export const canParse = (size: number): boolean => size <= shortText || size <= largestParsedBytes()

/**
 * For a process that waits most of its life: the part of the heap where objects begin keeps the size that it has. V8 would
 * double it again and again and give none of it back: a host of 20 checkouts would hold 240 MB where it needs 120 (Q19).
 * Costs a collection a megabyte, of what is mostly dead. Call it before much is loaded.
 */
export const stayLean = (): void => builtin('node:v8').setFlagsFromString('--semi-space-growth-factor=1')
