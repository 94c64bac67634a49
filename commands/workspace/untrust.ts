import * as Args from '@oclif/core/args'
import {oneTarget} from '../../src/bootstrap/target.js'
import {ConfigCommand} from '../../src/cli/config-command.js'
import {untrustPath, untrustWorkspace} from '../../src/cli/trust-workspace.js'

export default class WorkspaceUntrust extends ConfigCommand {
  static override summary = 'Take back the trust in a checkout, or in all below a folder.'
  static override description =
    'The record is about all worktrees of a repository, so it is taken back for all of them.'
  static override args = {
    target: Args.string({
      description: 'A folder, a path, an id, ID@FOLDER, a name; here when absent.',
      ignoreStdin: true,
    }),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(WorkspaceUntrust)
    const target = oneTarget(args.target, this.invocation.globals.workspace)
    if (target !== undefined && untrustPath(this.invocation, target)) return
    await untrustWorkspace(this.invocation, await this.configContext(target))
  }
}
