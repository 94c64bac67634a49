import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../../src/cli/base-command.js'
import {agreeTo, withInstaller} from '../../src/cli/plugin-installer.js'
import {updatedFields} from '../../src/plugin/install/installed-fields.js'
import {type Updated, updatePackages} from '../../src/plugin/install/update-package.js'

export default class PluginsUpdate extends JpCommand {
  static override summary = 'Get newer versions of the plugin packages.'
  static override description =
    'Looks where each came from, shows what is new and asks, or takes --yes. The old version stays until the new one is in place. Linked folders are passed over.'
  static override strict = false
  static override args = {
    plugin: Args.string({ignoreStdin: true, description: 'Names of plugins or npm names; all of them without one.'}),
  }
  static override flags = {
    yes: Flags.boolean({char: 'y', summary: 'Agree to what is shown, without asking.'}),
    'dry-run': Flags.boolean({summary: 'Tell what is new; change nothing.'}),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(PluginsUpdate)
    const names = argv.map(String)
    const updated = await withInstaller(this.invocation, (deps) =>
      updatePackages(deps, {
        names,
        dryRun: flags['dry-run'],
        agree: agreeTo(this.invocation, {yes: flags.yes, command: ['jp plugins update', ...names].join(' ')}),
      }),
    )
    this.output.list(
      updated.map(updatedFields),
      [
        {title: 'Package', text: (row) => row.package},
        {title: 'State', text: (row) => row.state},
        {title: 'From', text: (row) => row.from ?? ''},
        {title: 'To', text: (row) => row.to ?? ''},
      ],
      'No plugin packages are installed.',
    )
    const failed = updated.find((one): one is Extract<Updated, {state: 'failed'}> => one.state === 'failed')
    if (failed !== undefined) throw failed.error
  }
}
