import {resolve} from 'node:path'
import type {Clock} from '../platform/clock.js'
import type {UserDirectories} from '../platform/directories.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import type {Redact} from '../platform/redact.js'
import {createTrace, nextTraceFile, silentTrace, type Trace, type TraceLevel} from '../platform/trace.js'
import type {GlobalOptions} from './global-flags.js'
import type {TextStream} from './output.js'

type TraceDeps = {
  readonly environment: HostEnvironment
  readonly directories: UserDirectories
  readonly clock: Clock
  readonly redact: Redact
  readonly stderr: TextStream
}

const standardError = 2

/**
 * The trace that the flags ask for: none without `-v` and `--log-file`; `-v` writes a file in the log folder, and names it
 * on stderr; `--log-file` alone writes everything there, `-` to stderr.
 */
export const openTrace = (globals: GlobalOptions, deps: TraceDeps): Trace => {
  const {logFile, verbosity} = globals
  if (logFile === undefined && verbosity === 0) return silentTrace
  const level = levelOf(verbosity)
  const {clock, redact, environment} = deps
  if (logFile === '-') return createTrace({to: standardError, level, clock, redact})
  const file =
    logFile === undefined
      ? nextTraceFile(deps.directories.state, clock.nowMs(), environment.pid)
      : resolve(environment.cwd, logFile)
  const trace = createTrace({to: file, level, clock, redact})
  if (logFile === undefined && !globals.quiet) deps.stderr.write(`Trace: ${file}\n`)
  return trace
}

/** `-v` is info, `-vv` debug, `-vvv` and a file without `-v` everything. */
const levelOf = (verbosity: number): TraceLevel => (verbosity === 1 ? 'info' : verbosity === 2 ? 'debug' : 'trace')
