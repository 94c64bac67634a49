import * as Args from '@oclif/core/args'
import {describeWorkspace} from '../../src/bootstrap/describe-workspace.js'
import {oneTarget} from '../../src/bootstrap/target.js'
import {JpCommand} from '../../src/cli/base-command.js'
import {workspaceDetails} from '../../src/cli/workspace-rows.js'

export default class WorkspaceShow extends JpCommand {
  static override summary = 'Show where a command would act, or the workspace that a target names.'
  static override description = 'Reads only: it never asks, registers or prunes anything. See "jp help targets".'
  static override examples = ['<%= config.bin %> w show', '<%= config.bin %> w show a1b2c']
  static override args = {
    target: Args.string({description: 'A path, an id, ID@FOLDER, a name.', ignoreStdin: true}),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(WorkspaceShow)
    const description = await describeWorkspace(
      this.invocation,
      oneTarget(args.target, this.invocation.globals.workspace),
    )
    this.output.details(description, workspaceDetails(description))
  }
}
