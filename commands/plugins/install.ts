import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../../src/cli/base-command.js'
import {agreeTo, withInstaller} from '../../src/cli/plugin-installer.js'
import {spelledOut} from '../../src/platform/sanitise.js'
import {quoteForShell} from '../../src/platform/shell-quote.js'
import {findSource} from '../../src/plugin/install/find-source.js'
import {installPackage} from '../../src/plugin/install/install-package.js'
import {installedFields} from '../../src/plugin/install/installed-fields.js'

export default class PluginsInstall extends JpCommand {
  static override summary = 'Install a plugin that is an npm package.'
  static override description =
    'Shows what would be installed and asks, or takes --yes. No code of the package and no script of it runs; installing approves it. It needs no workspace.'
  static override examples = [
    'jp plugins install notes',
    'jp plugins install @scope/notes@1.2.0',
    'jp plugins install ./notes',
    'jp plugins install notes-1.2.0.tgz --yes',
    'jp plugins install git+https://example.com/notes.git#main',
  ]
  static override args = {
    plugin: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'A plugin of the registry, an npm name with a version or tag, a tarball, a folder, or a git URL.',
    }),
  }
  static override flags = {
    yes: Flags.boolean({char: 'y', summary: 'Agree to what is shown, without asking.'}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(PluginsInstall)
    const command = `jp plugins install ${quoteForShell(args.plugin)}`
    const {plan, path} = await withInstaller(this.invocation, async (deps) =>
      installPackage(deps, {
        ...(await findSource(deps, args.plugin)),
        agree: agreeTo(this.invocation, {yes: flags.yes, command}),
      }),
    )
    const words = plan.plugins.map(({manifest}) => `jp ${manifest.command.join(' ')}`).join(', ')
    this.output.line(
      spelledOut(`Installed ${plan.package} ${plan.version}. It is run with: ${words}`),
      installedFields(plan, path),
    )
  }
}
