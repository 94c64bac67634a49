import {JpCommand} from '../../src/cli/base-command.js'
import {cell} from '../../src/cli/output.js'
import {listKnownWorkspaces} from '../../src/workspace/known-workspaces.js'

export default class WorkspaceLs extends JpCommand {
  static override summary = 'List the workspaces that jp has worked in, with their checkouts.'
  static override description = 'Reads only: it never asks, registers or prunes anything.'

  override async run(): Promise<void> {
    await this.parse(WorkspaceLs)
    const workspaces = listKnownWorkspaces(this.invocation.directories.data, undefined)
    if (this.output.isJson) return this.output.json(workspaces)
    const rows = workspaces.flatMap((workspace) =>
      workspace.roots.length === 0
        ? [{workspace, path: '(no live checkouts)', lastUsed: ''}]
        : workspace.roots.map((root) => ({workspace, path: root.path, lastUsed: root.last_used})),
    )
    this.output.list(
      rows,
      [
        {title: '', text: (row) => (row.workspace.launch ? '*' : ' ')},
        {title: 'ID', text: (row) => row.workspace.id},
        {title: 'Name', text: (row) => cell(row.workspace.slug ?? '')},
        {title: 'Checkout', text: (row) => cell(row.path)},
        {title: 'Last used', text: (row) => row.lastUsed},
      ],
      'No workspaces yet. Run "jp init" in a project to make one.',
    )
  }
}
