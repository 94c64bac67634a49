import * as Flags from '@oclif/core/flags'
import {ConfigCommand} from '../../src/cli/config-command.js'
import {editFlags} from '../../src/cli/edit-configuration.js'
import {formatConfiguration} from '../../src/cli/format-configuration.js'

export default class ConfigFmt extends ConfigCommand {
  static override summary = 'Set the white space of a configuration file right.'
  static override description =
    "Comments, order and values stay as they are. Formats the workspace's .jp/config file unless a flag says otherwise."
  static override examples = ['jp config fmt', 'jp config fmt --all --check']
  static override flags = {
    ...editFlags,
    all: Flags.boolean({
      summary: 'Every file that applies here.',
      exclusive: Object.keys(editFlags),
    }),
    check: Flags.boolean({summary: 'Change nothing; end with 1 when a file would be changed.'}),
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(ConfigFmt)
    await formatConfiguration(this.invocation, await this.configContext(), flags)
  }
}
