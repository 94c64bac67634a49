import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../../src/cli/conversation-command.js'
import {labelKey} from '../../../src/conversation/labels.js'
import {JpError} from '../../../src/errors/jp-error.js'

export default class ConversationLabelRm extends ConversationCommand {
  static override summary = 'Take labels off a conversation.'
  static override strict = false
  static override usage = 'conversation label rm KEY... [--id TARGET]'
  static override flags = {
    id: Flags.string({
      char: 'i',
      summary: 'Which one; the active one of this session by default.',
      helpValue: 'TARGET',
    }),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationLabelRm)
    const keys = argv.map((key) => labelKey(String(key)))
    if (keys.length === 0) throw new JpError('usage', 'Say which labels.')
    const chosen = await this.resolveTargets(flags.id === undefined ? [] : [flags.id])
    for (const {id, archived} of chosen) {
      const labels = this.locked(
        id,
        (held) => {
          const known = Object.entries(held.read().metadata.labels)
          const next = Object.fromEntries(known.filter(([key]) => !keys.includes(key)))
          held.changeMetadata({labels: next})
          return next
        },
        archived,
      )
      this.output.line(`${id}: ${keys.join(', ')} removed.`, {id, labels})
    }
  }
}
