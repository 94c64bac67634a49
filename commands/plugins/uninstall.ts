import * as Args from '@oclif/core/args'
import {JpCommand} from '../../src/cli/base-command.js'
import {withInstaller} from '../../src/cli/plugin-installer.js'
import {uninstallPackages} from '../../src/plugin/install/uninstall-package.js'

export default class PluginsUninstall extends JpCommand {
  static override summary = 'Remove plugin packages, or let linked folders go.'
  static override description =
    'Takes their approvals back too. Nothing of a package runs. It needs no workspace. Also: jp plugins remove, jp plugins unlink.'
  static override examples = [
    'jp plugins uninstall notes',
    'jp plugins uninstall notes @scope/other',
    'jp plugins unlink .',
  ]
  static override strict = false
  static override args = {
    plugin: Args.string({
      ignoreStdin: true,
      description: 'Names of plugins, npm names, or folders that are linked; . without one.',
    }),
  }

  override async run(): Promise<void> {
    const {argv} = await this.parse(PluginsUninstall)
    const targets = argv.length === 0 ? ['.'] : argv.map(String)
    const removed = await withInstaller(this.invocation, (deps) => uninstallPackages(deps, targets))
    const lines = removed.map((one) => `${one.linked ? 'Let go of' : 'Removed'} ${one.package} ${one.version}.`)
    this.output.line(lines.join('\n'), removed.length === 1 ? removed[0] : removed)
  }
}
