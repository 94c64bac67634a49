import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../../src/cli/base-command.js'
import {pruneRoots} from '../../src/workspace/prune.js'

export default class WorkspacePrune extends JpCommand {
  static override summary = 'Forget the checkouts that are gone.'
  static override description = 'Removes their entries from the registry. Conversations stay.'
  static override flags = {
    'dry-run': Flags.boolean({default: false, summary: 'Only show what would be removed.'}),
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(WorkspacePrune)
    const dryRun = flags['dry-run']
    const pruned = pruneRoots(this.invocation.directories.data, {dryRun})
    this.output.list(
      pruned,
      [
        {title: 'ID', text: ({id}) => id},
        {title: dryRun ? 'Would forget' : 'Forgot', text: ({path}) => path},
      ],
      'Every registered checkout is there.',
    )
  }
}
