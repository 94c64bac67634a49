import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {oneTarget} from '../../src/bootstrap/target.js'
import {ConfigCommand} from '../../src/cli/config-command.js'
import {trustFolder, trustWorkspace} from '../../src/cli/trust-workspace.js'

export default class WorkspaceTrust extends ConfigCommand {
  static override summary = 'Trust a checkout with what its files ask for: tools, MCP servers, commands, addresses.'
  static override description =
    'Shows what it asks for and records that you allow exactly that, on this machine. A new worktree of the repository ' +
    'with the same settings is trusted too; a change asks again. JP_TRUST_WORKSPACE=1 trusts for one run (CI).'
  static override examples = ['jp w trust --dry-run', 'jp w trust', 'jp w trust --under ~/src/mine']
  static override args = {
    target: Args.string({description: 'A path, an id, ID@FOLDER, a name; here when absent.', ignoreStdin: true}),
  }
  static override flags = {
    'dry-run': Flags.boolean({summary: 'Show what it asks for; record nothing.'}),
    under: Flags.string({
      summary: 'Trust every checkout below this folder, whatever its settings.',
      helpValue: 'DIR',
      exclusive: ['dry-run'],
    }),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(WorkspaceTrust)
    if (flags.under !== undefined) return trustFolder(this.invocation, flags.under, args.target)
    const context = await this.configContext(oneTarget(args.target, this.invocation.globals.workspace))
    await trustWorkspace(this.invocation, context, {isDryRun: flags['dry-run']})
  }
}
