import * as Args from '@oclif/core/args'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {lastRootText, notesOf} from '../../src/cli/conversation-text.js'
import {detailsOf} from '../../src/conversation/details.js'

export default class ConversationShow extends ConversationCommand {
  static override readsOnly = true
  static override summary = 'Show what is known of a conversation: its title, times, labels, and where it last ran.'
  static override description = 'Reads only: it registers, imports and repairs nothing.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(ConversationShow)
    const entry = await this.resolveOne(args.target)
    const details = detailsOf(entry, this.store.paths(entry.id), this.store.lockHolder(entry.id))
    const optional = (label: string, text: string | undefined): readonly (readonly [string, string])[] =>
      text === undefined || text === '' ? [] : [[label, text]]
    this.output.details(details, [
      ['Conversation', entry.id],
      ['Title', entry.metadata.title ?? '(none)'],
      ['Created', details.created_at],
      ['Last used', details.last_activated_at],
      ...optional('Pinned', details.pinned_at),
      ...optional('Archived', details.archived_at),
      ...optional('Expires', details.expires_at),
      ['Events', String(details.events_count)],
      ...optional('Notes', notesOf(entry, this.invocation.clock.nowMs())),
      ['Last ran in', lastRootText(details.last_root) || '(no turn has recorded it)'],
      ...optional('In use by', details.lock === undefined ? undefined : `process ${details.lock.pid}`),
      ['Folder', details.path],
    ])
  }
}
