import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../../src/cli/conversation-command.js'
import {parseLabels} from '../../../src/conversation/labels.js'
import {JpError} from '../../../src/errors/jp-error.js'

export default class ConversationLabelAdd extends ConversationCommand {
  static override summary = 'Put labels on a conversation: key or key=value.'
  static override strict = false
  static override usage = 'conversation label add LABEL... [--id TARGET]'
  static override flags = {
    id: Flags.string({
      char: 'i',
      summary: 'Which one; the active one of this session by default.',
      helpValue: 'TARGET',
    }),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationLabelAdd)
    if (argv.length === 0) throw new JpError('usage', 'Say which labels: key or key=value.')
    const added = parseLabels(argv.map(String))
    const chosen = await this.resolveTargets(flags.id === undefined ? [] : [flags.id])
    for (const {id, archived} of chosen) {
      const labels = this.locked(
        id,
        (held) => {
          const next = {...held.read().metadata.labels, ...added}
          held.changeMetadata({labels: next})
          return next
        },
        archived,
      )
      this.output.line(`${id}: ${Object.keys(added).join(', ')} added.`, {id, labels})
    }
  }
}
