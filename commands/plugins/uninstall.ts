import * as Args from '@oclif/core/args'
import {JpCommand} from '../../src/cli/base-command.js'
import {withInstaller} from '../../src/cli/plugin-installer.js'
import {uninstallPackage} from '../../src/plugin/install/uninstall-package.js'

export default class PluginsUninstall extends JpCommand {
  static override summary = 'Remove a plugin package, or let a linked folder go.'
  static override description = 'Takes its approvals back too. Nothing of the package runs. It needs no workspace.'
  static override args = {
    plugin: Args.string({required: true, ignoreStdin: true, description: 'The name of the plugin, or its npm name.'}),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(PluginsUninstall)
    const removed = await withInstaller(this.invocation, (deps) => uninstallPackage(deps, args.plugin))
    const what = removed.linked ? 'Let go of' : 'Removed'
    this.output.line(`${what} ${removed.package} ${removed.version}.`, removed)
  }
}
