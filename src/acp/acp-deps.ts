import type {Launch} from '../bootstrap/launch.js'
import type {Redact} from '../platform/redact.js'
import type {Trace} from '../platform/trace.js'

/** What the agent stands on: the run of jp that it is. */
export type AcpDeps = {
  /** Nobody is asked on a terminal: the editor is who answers. */
  readonly launch: Omit<Launch, 'prompter'>
  /** `--cfg` of the command line, for every session (W13). */
  readonly cfg: readonly string[]
  readonly trace: Trace
  readonly redact: Redact
  readonly version: string
}
