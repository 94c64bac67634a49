import * as Flags from '@oclif/core/flags'
import {archiveConversations} from '../../src/cli/archive-conversations.js'
import {ConversationCommand} from '../../src/cli/conversation-command.js'

export default class ConversationArchive extends ConversationCommand {
  static override summary = 'Move conversations out of the listing, into the archive.'
  static override description =
    'Without a target: the active conversation of this session. "unarchive" brings one back.'
  static override strict = false
  static override usage = 'conversation archive [TARGET...]'
  static override flags = {
    from: Flags.string({summary: 'Those created since then: 3d, 2026-09-01, an id.', helpValue: 'TIME'}),
    until: Flags.string({summary: 'Those created until then.', helpValue: 'TIME'}),
    'inactive-since': Flags.string({
      summary: 'Those that were not used since then: 30d, 2026-09-01. Pinned ones stay.',
      helpValue: 'TIME',
    }),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationArchive)
    const archived = await archiveConversations(this.desk, {targets: argv.map(String), ...flags})
    this.listDone(archived, {verb: 'Archived', none: 'There is nothing to archive.'})
  }
}
