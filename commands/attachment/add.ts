import {conversationFlag} from '../../src/cli/attachment-flags.js'
import {addAttachments} from '../../src/cli/conversation-attachments.js'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {JpError} from '../../src/errors/jp-error.js'

export default class AttachmentAdd extends ConversationCommand {
  static override summary = 'Attach something to a conversation, from its next turn on.'
  static override description = 'The same as --attach of a query, without one. Nothing is sent or run now.'
  static override examples = [
    'jp attachment add src/**/*.ts',
    'jp attachment add https://example.com/spec.txt --id last',
  ]
  static override strict = false
  static override usage = 'attachment add WHAT... [--id TARGET]'
  static override flags = conversationFlag

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(AttachmentAdd)
    if (argv.length === 0)
      throw new JpError('usage', 'Say what: a file, a glob, cmd:…, https://…, mcp+SERVER:URI, jp://ID.')
    const entry = await this.resolveOne(flags.id)
    const added = await addAttachments(this.desk, entry, argv.map(String))
    const said = added.length === 0 ? 'that is attached already' : `attached ${added.join(', ')}`
    this.output.line(`${entry.id}: ${said}.`, {id: entry.id, added})
  }
}
