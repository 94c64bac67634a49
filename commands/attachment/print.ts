import * as Args from '@oclif/core/args'
import {attachmentRows, attachmentText} from '../../src/cli/attachment-text.js'
import {readAttachments} from '../../src/cli/conversation-attachments.js'
import {ConversationCommand} from '../../src/cli/conversation-command.js'

export default class AttachmentPrint extends ConversationCommand {
  static override readsOnly = true
  static override summary = 'Print what the next turn of a conversation attaches, as the model is given it.'
  static override description = 'Files are read, addresses fetched and commands run as for a turn; nothing is stored.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(AttachmentPrint)
    const contents = await readAttachments(this.desk, await this.resolveOne(args.target))
    if (this.output.isJson) this.output.json(attachmentRows(contents))
    else await this.output.write(attachmentText(contents))
  }
}
