import {changeLabels, labelledFlag} from '../../../src/cli/change-labels.js'
import {ConversationCommand} from '../../../src/cli/conversation-command.js'
import {labelKey, withoutLabels} from '../../../src/conversation/labels.js'
import {JpError} from '../../../src/errors/jp-error.js'

export default class ConversationLabelRm extends ConversationCommand {
  static override summary = 'Take labels off a conversation.'
  static override strict = false
  static override usage = 'conversation label rm KEY... [--id TARGET]'
  static override flags = {id: labelledFlag}

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationLabelRm)
    const keys = argv.map((key) => labelKey(String(key)))
    if (keys.length === 0) throw new JpError('usage', 'Say which labels.')
    const changed = await changeLabels(this.desk, flags.id, (labels) => withoutLabels(labels, keys))
    for (const one of changed) this.output.line(`${one.id}: ${keys.join(', ')} removed.`, one)
  }
}
