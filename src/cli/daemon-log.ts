import {resolve} from 'node:path'
import type {Redact} from '../platform/redact.js'
import {createTrace, type Trace, type TraceLevel} from '../platform/trace.js'
import type {Invocation} from './invocation.js'

const standardError = 2

/** The log of a long-running jp: JSON lines on stderr, or in `--log-file`; `-q` only what is wrong, `-v` more. */
export const openDaemonLog = ({globals, environment, clock}: Invocation, redact: Redact): Trace => {
  const {logFile, quiet, verbosity} = globals
  const to = logFile === undefined || logFile === '-' ? standardError : resolve(environment.cwd, logFile)
  const level: TraceLevel = quiet ? 'warn' : verbosity === 0 ? 'info' : verbosity === 1 ? 'debug' : 'trace'
  return createTrace({to, level, clock, redact})
}
