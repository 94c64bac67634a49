import type {Inquirer} from '../inquiry.js'
import type {Tool} from '../tool.js'
import type {PermissionAsker} from './permission.js'
import type {PermissionRules} from './permission-rules.js'
import type {ToolSettings} from './tool-settings.js'

/** A tool of a turn with what the configuration says of it. */
export type BeltTool = {
  readonly tool: Tool
  readonly settings: ToolSettings
  /** What the tool is, for remembered permissions: it changes with its command. */
  readonly definition: unknown
  /** The command line that the model writes, when the tool is one that runs it. */
  readonly commandOf?: (args: Readonly<Record<string, unknown>>) => string
}

/** Who decides about calls. */
export type BeltDeps = {
  /** Undefined where nobody can be asked. */
  readonly asker: PermissionAsker | undefined
  /** Undefined without user-local storage: then nothing is remembered. */
  readonly rules: PermissionRules | undefined
  /** Asks the assistant what a tool wants to know; without it such questions have no answer. */
  readonly inquirer?: Inquirer | undefined
}
