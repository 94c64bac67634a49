import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {permissionsOf} from '../../src/cli/tool-permissions.js'
import {WorkspaceCommand} from '../../src/cli/workspace-command.js'
import {JpError} from '../../src/errors/jp-error.js'

export default class ToolForget extends WorkspaceCommand {
  static override summary = 'Take a permission of a tool back: it is asked about again.'
  static override args = {
    number: Args.integer({description: 'Its number in "jp tool permissions".', ignoreStdin: true}),
  }
  static override flags = {all: Flags.boolean({summary: 'Take all of them back.'})}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ToolForget)
    const rules = permissionsOf(this.context.silo, this.invocation)
    const chosen = args.number === undefined ? undefined : rules.list()[args.number - 1]
    if (chosen === undefined && !flags.all) {
      throw new JpError(
        'usage',
        args.number === undefined ? 'Say which one.' : `There is no permission ${args.number}.`,
        {
          hint: 'See "jp tool permissions".',
        },
      )
    }
    const same = JSON.stringify(chosen)
    const removed = await rules.remove((rule) => flags.all || JSON.stringify(rule) === same)
    this.output.line(`Took ${removed} back.`, {removed})
  }
}
