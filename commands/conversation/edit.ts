import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {editConversation} from '../../src/cli/conversation-edit.js'
import {editConversationFile, fileName, namedFile} from '../../src/cli/edit-conversation-file.js'

export default class ConversationEdit extends ConversationCommand {
  static override summary = "Change a conversation's title, pin, place or expiry, or edit one of its files."
  static override description =
    'What would take something away is shown and asked for; without a terminal it needs --yes. A file is edited in your editor; without a terminal its new content is read from stdin. Drafts and machine-local records are never touched.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }
  static override flags = {
    title: Flags.string({summary: 'Give it this title.', helpValue: 'TITLE'}),
    'no-title': Flags.boolean({summary: 'Take its title away.', exclusive: ['title']}),
    pin: Flags.boolean({summary: 'List it first, or no longer.', allowNo: true}),
    local: Flags.boolean({summary: 'Keep it out of the checkout, or put a copy there.', allowNo: true}),
    tmp: Flags.string({summary: 'Make it temporary: 12h, 3d, or now.', helpValue: 'SPAN'}),
    'no-tmp': Flags.boolean({summary: 'Keep it for good.', exclusive: ['tmp']}),
    events: Flags.boolean({char: 'e', summary: 'Edit events.json.', exclusive: ['metadata', 'base-config']}),
    metadata: Flags.boolean({char: 'm', summary: 'Edit metadata.json.', exclusive: ['base-config']}),
    'base-config': Flags.boolean({char: 'b', summary: 'Edit base_config.json.'}),
    yes: Flags.boolean({char: 'y', summary: "Don't ask."}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationEdit)
    const entry = await this.resolveOne(args.target)
    const {id} = entry
    const flag = namedFile(flags)
    if (flag === undefined) return this.output.line((await editConversation(this.desk, entry, flags)).join('\n'), {id})
    const isChanged = await editConversationFile(this.desk, entry, {flag, isYes: flags.yes})
    if (!isChanged) return this.output.note('Nothing was changed.')
    this.output.line(`Replaced ${fileName(flag)} of ${id}.`, {id})
  }
}
