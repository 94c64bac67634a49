import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {removeConversations} from '../../src/cli/conversation-removal.js'

export default class ConversationRm extends ConversationCommand {
  static override summary = 'Remove conversations from this machine and from the checkout.'
  static override description =
    'Shows what will go and asks; without a terminal it needs --yes. An unsent draft is lost only when that is said.'
  static override strict = false
  static override usage = 'conversation rm TARGET... [--yes]'
  static override flags = {
    from: Flags.string({summary: 'Those created since then: 3d, 2026-09-01, an id.', helpValue: 'TIME'}),
    until: Flags.string({summary: 'Those created until then.', helpValue: 'TIME'}),
    expired: Flags.boolean({summary: 'The temporary ones whose time is over and that no session has active.'}),
    'discard-draft': Flags.boolean({summary: 'Remove unsent drafts too.'}),
    yes: Flags.boolean({char: 'y', aliases: ['no-confirm'], summary: "Don't ask."}),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationRm)
    const {from, until, expired, yes: isYes, 'discard-draft': discardDrafts} = flags
    const choice = {targets: argv.map(String), from, until, expired, discardDrafts, isYes}
    const removed = await removeConversations(this.desk, choice)
    this.listDone(removed, {verb: 'Removed', none: 'There is nothing to remove.'})
  }
}
