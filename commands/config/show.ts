import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConfigCommand} from '../../src/cli/config-command.js'
import {showConfiguration} from '../../src/cli/show-configuration.js'

export default class ConfigShow extends ConfigCommand {
  static override summary = 'Show the configuration that applies here.'
  static override description =
    'Values that are named like secrets are redacted. Exits 1 for a malformed file, naming file, line and column.'
  static override examples = [
    'jp config show assistant.model',
    'jp config show --explain',
    'jp config show --defaults --format json',
  ]
  static override args = {
    path: Args.string({ignoreStdin: true, description: 'A key, such as assistant.model; all when absent.'}),
  }
  static override flags = {
    explain: Flags.boolean({
      summary: 'For each value the layer and file:line that set it, and what was left out and why.',
    }),
    defaults: Flags.boolean({
      summary: 'Every key there is, with its built-in default and what it takes; no file is read.',
      exclusive: ['explain'],
    }),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigShow)
    const how = flags.defaults ? 'defaults' : flags.explain ? 'explain' : 'values'
    await showConfiguration(this.invocation, await this.configContext(), {path: args.path, how})
  }
}
