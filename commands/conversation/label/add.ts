import {changeLabels, labelledFlag} from '../../../src/cli/change-labels.js'
import {ConversationCommand} from '../../../src/cli/conversation-command.js'
import {parseLabels} from '../../../src/conversation/labels.js'
import {JpError} from '../../../src/errors/jp-error.js'

export default class ConversationLabelAdd extends ConversationCommand {
  static override summary = 'Put labels on a conversation: key or key=value.'
  static override strict = false
  static override usage = 'conversation label add LABEL... [--id TARGET]'
  static override flags = {id: labelledFlag}

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationLabelAdd)
    if (argv.length === 0) throw new JpError('usage', 'Say which labels: key or key=value.')
    const added = parseLabels(argv.map(String))
    const changed = await changeLabels(this.desk, flags.id, (labels) => ({...labels, ...added}))
    for (const one of changed) this.output.line(`${one.id}: ${Object.keys(added).join(', ')} added.`, one)
  }
}
