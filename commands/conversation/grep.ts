import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {grepConversations, grepSorts} from '../../src/cli/conversation-grep.js'
import {grepOutputs, printFindings} from '../../src/cli/grep-report.js'
import {grepScopes} from '../../src/conversation/grep.js'

export default class ConversationGrep extends ConversationCommand {
  static override readsOnly = true
  static override summary = 'Search what was said in conversations, tool output included.'
  static override description =
    'Reads only. A pattern is text, in any case unless it has a capital letter. Without a hit the exit code is 1.'
  static override strict = false
  static override usage = 'conversation grep PATTERN...'
  static override flags = {
    id: Flags.string({
      char: 'i',
      summary: 'Only in these. Repeatable.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TARGET',
    }),
    archived: Flags.boolean({summary: 'Search the archived ones instead.'}),
    'ignore-case': Flags.boolean({summary: 'In any case.'}),
    'case-sensitive': Flags.boolean({summary: 'As it is written.', exclusive: ['ignore-case']}),
    regex: Flags.boolean({char: 'r', summary: 'The pattern is a regular expression.'}),
    scope: Flags.option({
      char: 's',
      summary: 'Only in this part. Repeatable.',
      options: grepScopes,
      multiple: true,
      multipleNonGreedy: true,
    })(),
    context: Flags.integer({summary: 'Lines before and after each hit.', min: 0, default: 0, helpValue: 'N'}),
    output: Flags.option({
      summary: 'What to print.',
      options: grepOutputs,
      default: 'hits' as const,
    })(),
    heading: Flags.boolean({
      summary: 'Hits below a heading; --no-heading: each line names its conversation.',
      allowNo: true,
      default: true,
    }),
    sort: Flags.option({
      summary: 'The order of the conversations: created, last used (activated), last written (updated).',
      options: grepSorts,
      default: 'created' as const,
    })(),
    descending: Flags.boolean({summary: 'The latest first.'}),
    'max-matches': Flags.integer({char: 'm', summary: 'Stop after N hits in a conversation.', min: 1, helpValue: 'N'}),
    limit: Flags.integer({summary: 'Stop after N conversations with a hit.', min: 1, helpValue: 'N'}),
    label: Flags.string({summary: 'Only those with this label. Repeatable.', multiple: true, multipleNonGreedy: true}),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationGrep)
    const {findings, passedOver} = await grepConversations(this.desk, argv.map(String), flags)
    await printFindings(this.output, findings, flags)
    this.warnOfCorrupt(passedOver)
    if (findings.length === 0) this.endWith(1)
  }
}
