import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {oneTarget} from '../../src/bootstrap/target.js'
import {useWorkspace} from '../../src/bootstrap/use-workspace.js'
import {JpCommand} from '../../src/cli/base-command.js'
import {cell} from '../../src/cli/output.js'

export default class WorkspaceUse extends JpCommand {
  static override summary = 'Choose the workspace of this terminal tab.'
  static override description =
    'Commands outside any workspace act there; inside another one they ask. With --always they act there wherever you ' +
    'are. "jp w use cwd" goes back to following the folder you are in. Without a target: the workspace before.'
  static override examples = ['<%= config.bin %> w use a1b2c', '<%= config.bin %> w use app@app-wt --always']
  static override args = {
    target: Args.string({description: 'A path, an id, ID@FOLDER, a name, ? to pick.', ignoreStdin: true}),
  }
  static override flags = {
    always: Flags.boolean({default: false, summary: 'Act there wherever you are, without asking.'}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(WorkspaceUse)
    const target = oneTarget(args.target, this.invocation.globals.workspace)
    const used = await useWorkspace(this.invocation, {target, always: flags.always})
    if (used === 'cleared') return this.output.line('This session follows the folder you are in.', null)
    const {checkout, sticky} = used
    const how = sticky ? 'wherever you are' : 'outside other workspaces'
    this.output.line(`This session works in ${checkout.id} at ${cell(checkout.root)}, ${how}.`, {...checkout, sticky})
  }
}
