import * as Args from '@oclif/core/args'
import {ConversationCommand} from '../../../src/cli/conversation-command.js'

export default class ConversationLabelLs extends ConversationCommand {
  static override readsOnly = true
  static override summary = 'List the labels of a conversation.'
  static override description = 'Reads only.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(ConversationLabelLs)
    const {metadata} = await this.resolveOne(args.target)
    const rows = Object.entries(metadata.labels).map(([key, value]) => ({key, value}))
    this.output.list(
      rows,
      [
        {title: 'Label', text: ({key}) => key},
        {title: 'Value', text: ({value}) => value},
      ],
      'No labels.',
    )
  }
}
