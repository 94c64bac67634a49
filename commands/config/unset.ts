import * as Args from '@oclif/core/args'
import {ConfigCommand} from '../../src/cli/config-command.js'
import {editConfiguration, editFlags} from '../../src/cli/edit-configuration.js'

export default class ConfigUnset extends ConfigCommand {
  static override summary = 'Take configuration keys out of a file, keeping its comments.'
  static override examples = ['jp config unset assistant.model.id', 'jp config unset --user-global editor']
  static override strict = false
  static override args = {
    key: Args.string({required: true, ignoreStdin: true, description: 'A key; may be repeated.'}),
  }
  static override flags = editFlags

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConfigUnset)
    await editConfiguration(this.invocation, await this.configContext(), {unset: argv.map(String), flags})
  }
}
