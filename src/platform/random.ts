import {builtin} from './builtin.js'

/** A random whole number from 0 up to, not including, `bound`. Loads Node's crypto module at the first call. */
export const randomBelow = (bound: number): number => builtin('node:crypto').randomInt(bound)
