import type {Clock} from '../platform/clock.js'
import type {UserDirectories} from '../platform/directories.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import type {Prompter} from '../platform/prompter.js'
import type {Redact} from '../platform/redact.js'
import type {Trace} from '../platform/trace.js'
import type {CommandTable} from './command-table.js'
import type {GlobalOptions} from './global-flags.js'
import type {Output} from './output.js'

/** Everything of one run of jp that is not about a workspace. Made once, in `entry.ts`. */
export type Invocation = {
  readonly globals: GlobalOptions
  readonly environment: HostEnvironment
  readonly directories: UserDirectories
  readonly clock: Clock
  readonly output: Output
  /** What jp does, for a log file (`-v`, `--log-file`). */
  readonly trace: Trace
  /** Takes secrets out of what is logged or told (W33). */
  readonly redact: Redact
  /** A controlling terminal can be opened, and nobody said not to ask (W9). */
  readonly isInteractive: boolean
  /** Asks on the terminal device; undefined when nobody may be asked. */
  readonly prompter: Prompter | undefined
  /** The command line as it was typed, without `node` and the script: for commands that can be pasted. */
  readonly argv: readonly string[]
  readonly version: string
  readonly commands: CommandTable
  /** Aborted when this run should end early: the reader of stdout is gone. Its reason says why. */
  readonly ending: AbortSignal
}
