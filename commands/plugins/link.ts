import {resolve} from 'node:path'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../../src/cli/base-command.js'
import {agreeToLink, withInstaller} from '../../src/cli/plugin-installer.js'
import {spelledOut} from '../../src/platform/sanitise.js'
import {quoteForShell} from '../../src/platform/shell-quote.js'
import {linkPackage} from '../../src/plugin/install/link-package.js'

export default class PluginsLink extends JpCommand {
  static override summary = 'Run a plugin out of a folder of yours, for development.'
  static override description =
    'Asks on the terminal. From then on what lies in the folder runs, whatever it becomes: link what you write yourself. Nothing is installed in it.'
  static override args = {
    path: Args.string({default: '.', ignoreStdin: true, description: 'The folder with its package.json.'}),
  }

  static override flags = {
    install: Flags.boolean({
      allowNo: true,
      default: false,
      summary: 'jp installs nothing in a folder of yours; this is for scripts that were written for oclif.',
    }),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(PluginsLink)
    const {environment} = this.invocation
    const plan = await withInstaller(this.invocation, (deps) =>
      linkPackage(deps, resolve(environment.cwd, args.path), agreeToLink(this.invocation)),
    )
    if (flags.install) {
      this.output.warn(
        `Nothing was installed: npm would run scripts there. To do it yourself: cd ${quoteForShell(plan.root)} && npm install`,
      )
    }
    const names = plan.plugins.map(({name}) => name)
    this.output.line(spelledOut(`Linked ${plan.package} from ${plan.root} (plugin ${names.join(', ')}).`), {
      package: plan.package,
      version: plan.version,
      path: plan.root,
      plugins: names,
    })
  }
}
