import {listWorkspaces} from '../../src/bootstrap/list-workspaces.js'
import {JpCommand} from '../../src/cli/base-command.js'
import {workspaceColumns, workspaceRows} from '../../src/cli/workspace-rows.js'
import {listed} from '../../src/workspace/known-workspaces.js'

export default class WorkspaceLs extends JpCommand {
  static override summary = 'List the workspaces that jp has worked in, with their checkouts.'
  static override description =
    'Reads only: it never asks, registers or prunes anything. * marks where a command would act without a question.'

  override async run(): Promise<void> {
    await this.parse(WorkspaceLs)
    const {known, launch} = await listWorkspaces(this.invocation)
    if (this.output.isJson) return this.output.json(listed(known, launch?.id))
    this.output.list(
      workspaceRows(known, launch),
      workspaceColumns,
      'No workspaces yet. Run "jp init" in a project to make one.',
    )
  }
}
