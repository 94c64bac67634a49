import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {expiredNote, lastRootText, minuteText, notesOf} from '../../src/cli/conversation-text.js'
import {arrange, sortKeys} from '../../src/conversation/listing-order.js'

export default class ConversationLs extends ConversationCommand {
  static override readsOnly = true
  static override summary = 'List the conversations of the workspace, and where each last ran.'
  static override description =
    'Reads only: it registers, imports and repairs nothing. Pinned conversations come first.'
  static override args = {target: Args.string({description: 'Only these; see "jp help targets".', ignoreStdin: true})}
  static override flags = {
    archived: Flags.boolean({summary: 'List the archived ones instead.'}),
    sort: Flags.option({summary: 'Sort by this.', options: sortKeys, default: 'id' as const})(),
    descending: Flags.boolean({summary: 'The greatest first.'}),
    limit: Flags.integer({summary: 'Show at most this many.', min: 0, helpValue: 'N'}),
    full: Flags.boolean({summary: 'Whole titles, however wide the table gets.'}),
    local: Flags.boolean({summary: 'Only those that are kept out of the checkout.'}),
    label: Flags.string({
      summary: 'Only those with this label: key or key=value. Repeatable.',
      multiple: true,
      multipleNonGreedy: true,
    }),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationLs)
    const listing = this.store.list({archived: flags.archived})
    const named = args.target === undefined ? listing.entries : await this.resolveTargets([args.target])
    const entries = arrange(named, {...flags, limit: flags.limit, labels: flags.label ?? []})
    if (this.output.isJson) this.output.json(entries.map(({listed}) => listed))
    else await this.#printTable(entries, !flags.full)
    this.warnOfCorrupt(listing.corrupt)
  }

  async #printTable(entries: ReturnType<typeof arrange>, flexible: boolean): Promise<void> {
    const {active} = await this.scene()
    const nowMs = this.invocation.clock.nowMs()
    this.output.list(
      entries,
      [
        {title: '', text: ({id}) => (id === active ? '*' : ' ')},
        {title: 'ID', text: ({id}) => id},
        {title: 'Title', text: ({metadata}) => metadata.title ?? '', flexible},
        {title: 'Last used', text: ({listed}) => minuteText(listed.last_activated_at)},
        {title: 'Events', text: ({listed}) => String(listed.events_count)},
        {title: 'Last ran in', text: ({listed}) => lastRootText(listed.last_root)},
        {title: 'Notes', text: (entry) => notesOf(entry, nowMs)},
      ],
      'No conversations. Run "jp query --new TEXT" to start one.',
    )
    const note = expiredNote(entries, nowMs)
    if (note !== undefined) this.output.note(note)
  }
}
