import {catalogue, type ErrorCode, type ErrorKind} from '../errors/catalogue.js'

/** The table of Q2. A plugin's own code passes through; 131 is SIGQUIT. */
const exitCodes = {
  failed: 1,
  usage: 2,
  not_found: 3,
  conflict: 4,
  denied: 5,
  unavailable: 6,
  broken_peer: 7,
  corrupt: 8,
  interrupted: 130,
} as const satisfies Record<ErrorKind, number>

/** The exit code of jp for an error with this code. */
export const exitCodeFor = (code: ErrorCode): number => exitCodes[catalogue[code]]
