import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../../src/cli/base-command.js'
import {installSpecs} from '../../src/cli/install-specs.js'

export default class PluginsInstall extends JpCommand {
  static override summary = 'Install plugins that are npm packages.'
  static override description =
    'Shows what would be installed and asks, or takes --yes. No code of a package and no script of it runs; installing approves it. It needs no workspace. Also: jp plugins add.'
  static override examples = [
    'jp plugins install notes',
    'jp plugins install @scope/notes@1.2.0',
    'jp plugins install ./notes',
    'jp plugins install notes-1.2.0.tgz --yes',
    'jp plugins install git+https://example.com/notes.git#main',
  ]
  static override strict = false
  static override args = {
    plugin: Args.string({
      required: true,
      ignoreStdin: true,
      description:
        'Plugins of the registry, npm names with a version or tag, tarballs, folders, or git URLs; one or more.',
    }),
  }
  static override flags = {
    yes: Flags.boolean({char: 'y', summary: 'Agree to what is shown, without asking.'}),
    force: Flags.boolean({char: 'f', summary: 'Ask the registry again for what npm holds in its cache.'}),
    silent: Flags.boolean({char: 's', summary: 'Show no progress, and no plan that --yes agrees to.'}),
    jit: Flags.boolean({hidden: true, summary: 'Only official plugins, in the version that the registry wants.'}),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(PluginsInstall)
    await installSpecs(this.invocation, argv.map(String), flags)
  }
}
