import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import type {ConversationEntry} from '../../src/conversation/entry.js'
import {parseMoment} from '../../src/conversation/moment.js'
import {momentOfStored} from '../../src/conversation/timestamp.js'

export default class ConversationArchive extends ConversationCommand {
  static override summary = 'Move conversations out of the listing, into the archive.'
  static override description =
    'Without a target: the active conversation of this session. "unarchive" brings one back.'
  static override strict = false
  static override usage = 'conversation archive [TARGET...]'
  static override flags = {
    'inactive-since': Flags.string({
      summary: 'Those that were not used since then: 30d, 2026-09-01. Pinned ones stay.',
      helpValue: 'TIME',
    }),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationArchive)
    const since = flags['inactive-since']
    const chosen = since === undefined ? await this.resolveTargets(argv.map(String)) : this.#inactive(since)
    const live = chosen.filter((entry) => !entry.archived)
    for (const {id} of live) this.locked(id, (held) => held.setArchived(true))
    if (this.output.isJson) return this.output.json(live.map(({id}) => ({id})))
    for (const {id} of live) this.output.line(`Archived ${id}.`, {id})
    if (live.length === 0) this.output.note('There is nothing to archive.')
  }

  #inactive(text: string): readonly ConversationEntry[] {
    const since = parseMoment(text, this.invocation.clock.nowMs())
    return this.store
      .list()
      .entries.filter(
        ({metadata}) =>
          metadata.pinned_at === undefined && (momentOfStored(metadata.last_activated_at) ?? since) < since,
      )
  }
}
