import {Command} from '@oclif/core/command'
import type {Config} from '@oclif/core/config'
import * as Flags from '@oclif/core/flags'
import type {FlagInput} from '@oclif/core/interfaces'
import type {Requirement} from '../bootstrap/requirement.js'
import {type GlobalFlag, globalFlags} from './global-flags.js'
import type {Invocation} from './invocation.js'
import type {Output} from './output.js'

function globalFlagDefinitions(): FlagInput {
  const definition = (flag: GlobalFlag) => {
    const shared = {
      summary: flag.summary,
      helpGroup: 'GLOBAL',
      ...(flag.char === undefined ? {} : {char: flag.char as 'w'}),
    }
    if (flag.kind === 'switch' || flag.kind === 'count') return Flags.boolean(shared)
    const value = {...shared, helpValue: flag.valueName ?? 'VALUE'}
    return flag.kind === 'list'
      ? Flags.string({...value, multiple: true, multipleNonGreedy: true})
      : Flags.string(value)
  }
  return Object.fromEntries(globalFlags.map((flag) => [flag.name, definition(flag)]))
}

/**
 * The base of every command. A command parses, makes one call, and prints; its global flags were read before oclif saw
 * the command line (`argv.ts`).
 */
export abstract class JpCommand extends Command {
  /** For help and completion alone: `argv.ts` has taken these flags out before oclif parses. */
  static override baseFlags = globalFlagDefinitions()

  /** What the command needs from the bootstrap (W10); the build writes it to `oclif.manifest.json`. */
  static requirement: Requirement = 'none'
  /** Takes more than one `-w`. */
  static manyWorkspaces = false

  #invocation: Invocation | undefined

  protected get invocation(): Invocation {
    if (this.#invocation === undefined) throw new TypeError('A command is started by JpCommand.execute.')
    return this.#invocation
  }

  protected get output(): Output {
    return this.invocation.output
  }

  /** oclif warns about deprecated aliases here; jp has none. */
  override async init(): Promise<void> {}

  /** Errors are told in one place, `report-error.ts`. */
  override async catch(error: Error): Promise<void> {
    throw error
  }

  /** Runs a command of this class. oclif's own `run` would load a second configuration first. */
  static async execute(
    this: CommandClass,
    argv: readonly string[],
    config: Config,
    invocation: Invocation,
  ): Promise<void> {
    const command = new this([...argv], config)
    command.#invocation = invocation
    await command._run()
  }
}

type CommandClass = new (argv: string[], config: Config) => JpCommand
