import type {Clock} from '../platform/clock.js'
import {rfc3339} from '../platform/clock.js'
import type {UserDirectories} from '../platform/directories.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import type {LockHolder} from '../platform/lock.js'
import type {Prompter} from '../platform/prompter.js'

/** What the bootstrap is told of the run. */
export type Launch = {
  readonly environment: HostEnvironment
  readonly directories: UserDirectories
  readonly clock: Clock
  readonly globals: {readonly workspace: readonly string[]; readonly noPersist: boolean}
  /** The command line as it was typed: for commands that can be pasted. */
  readonly argv: readonly string[]
  /** Asks the person at the terminal; undefined when nobody may be asked (W9). */
  readonly prompter: Prompter | undefined
  /** Talk on stderr. */
  readonly output: {note(text: string): void; warn(text: string): void}
}

/** This run, as the holder of a short lock. */
export const holderOf = (launch: Launch): LockHolder => ({
  pid: launch.environment.pid,
  acquired_at: rfc3339(launch.clock.nowMs()),
})
