import * as Args from '@oclif/core/args'
import {listAttachments} from '../../src/cli/conversation-attachments.js'
import {ConversationCommand} from '../../src/cli/conversation-command.js'

export default class AttachmentLs extends ConversationCommand {
  static override readsOnly = true
  static override summary = 'List what the next turn of a conversation attaches.'
  static override description = 'Reads only. What configuration files attach is listed too.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(AttachmentLs)
    const rows = await listAttachments(this.desk, await this.resolveOne(args.target))
    this.output.list(
      rows,
      [
        {title: 'Attachment', text: ({attachment}) => attachment},
        {title: 'Kind', text: ({kind, excludes}) => (excludes ? `${kind}, left out` : kind)},
      ],
      'Nothing is attached.',
    )
  }
}
