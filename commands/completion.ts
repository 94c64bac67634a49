import * as Args from '@oclif/core/args'
import {JpCommand} from '../src/cli/base-command.js'
import {completionScript, shells} from '../src/cli/completion/scripts.js'

export default class Completion extends JpCommand {
  static override summary = 'Print the completion script of a shell.'
  static override description =
    'Completes commands, flags, workspace targets, conversation ids, configuration keys and the commands of plugins, without running any of them.'
  static override examples = [
    'eval "$(<%= config.bin %> completion bash)"',
    '<%= config.bin %> completion fish | source',
  ]
  static override args = {
    shell: Args.string({options: [...shells], description: shells.join(', '), required: true, ignoreStdin: true}),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(Completion)
    await this.output.write(completionScript(args.shell))
  }
}
