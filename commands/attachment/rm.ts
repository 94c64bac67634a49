import {conversationFlag} from '../../src/cli/attachment-flags.js'
import {removeAttachments} from '../../src/cli/conversation-attachments.js'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {JpError} from '../../src/errors/jp-error.js'

export default class AttachmentRm extends ConversationCommand {
  static override summary = 'Attach something to a conversation no longer, from its next turn on.'
  static override strict = false
  static override usage = 'attachment rm WHAT... [--id TARGET]'
  static override flags = conversationFlag

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(AttachmentRm)
    if (argv.length === 0) throw new JpError('usage', 'Say what; "jp attachment ls" lists it.')
    const entry = await this.resolveOne(flags.id)
    const removed = await removeAttachments(this.desk, entry, argv.map(String))
    this.output.line(`${entry.id}: ${removed.join(', ')} taken off.`, {id: entry.id, removed})
  }
}
