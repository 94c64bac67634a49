import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {forTerminalLine} from '../../src/platform/sanitise.js'

export default class ConversationTitle extends ConversationCommand {
  static override summary = 'Give a conversation a title that the model proposes.'
  static override description =
    'On a terminal you choose one of several; elsewhere the first is taken. A title of your own: jp conversation edit --title.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }
  static override flags = {
    count: Flags.integer({char: 'n', summary: 'How many to choose from.', min: 1, max: 20, default: 3, helpValue: 'N'}),
    model: Flags.string({char: 'm', summary: 'The model that proposes.', helpValue: 'PROVIDER/NAME'}),
    'dry-run': Flags.boolean({summary: 'Print the titles, and change nothing.'}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationTitle)
    const entry = await this.resolveOne(args.target)
    const {proposeTitles, retitle} = await import('../../src/cli/retitle.js')
    const titles = await proposeTitles(this.desk, entry.id, {count: flags.count, model: flags.model})
    if (flags['dry-run']) return this.output.line(titles.map(forTerminalLine).join('\n'), titles)
    const title = await retitle(this.desk, entry, titles)
    this.output.line(`Title of ${entry.id}: ${forTerminalLine(title ?? '')}`, {id: entry.id, title})
  }
}
