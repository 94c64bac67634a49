import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'

export default class ConversationCompact extends ConversationCommand {
  static override summary = 'Make the earlier turns of a conversation shorter for the model.'
  static override description =
    'What is stored stays whole: a compaction only says what is sent. Without a flag that says how, reasoning and the contents of tool calls are left out.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.'}),
  }
  static override flags = {
    'keep-first': Flags.integer({summary: 'Leave the first N turns as they are.', min: 0, default: 0, helpValue: 'N'}),
    'keep-last': Flags.integer({summary: 'Leave the last N turns as they are.', min: 0, default: 1, helpValue: 'N'}),
    reasoning: Flags.boolean({char: 'r', summary: 'Leave reasoning out.'}),
    tools: Flags.option({
      char: 't',
      summary: 'Leave the contents of tool calls out (strip), or the calls (omit).',
      options: ['strip', 'omit'] as const,
    })(),
    summary: Flags.boolean({char: 's', summary: 'Send a summary in their place, written by the model.'}),
    model: Flags.string({char: 'm', summary: 'The model that sums up.', helpValue: 'PROVIDER/NAME'}),
    'dry-run': Flags.boolean({summary: 'Say what would be done, and do nothing.'}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationCompact)
    const {id} = await this.resolveOne(args.target)
    const isPlain = !flags.reasoning && flags.tools === undefined && !flags.summary
    const {compactConversation} = await import('../../src/cli/compact-conversation.js')
    const done = await compactConversation(
      {invocation: this.invocation, context: this.context, store: this.store},
      {
        id,
        keepFirst: flags['keep-first'],
        keepLast: flags['keep-last'],
        reasoning: flags.reasoning || isPlain,
        tools: flags.tools ?? (isPlain ? 'strip' : undefined),
        summary: flags.summary,
        isDry: flags['dry-run'],
        cfg: [
          ...this.invocation.globals.cfg,
          ...(flags.model === undefined ? [] : [`assistant.model.id=${flags.model}`]),
        ],
      },
    )
    if (done === undefined) return this.output.note('There is nothing to compact.')
    const verb = flags['dry-run'] ? 'Would compact' : 'Compacted'
    this.output.line(`${verb} turns ${done.from} to ${done.to} of ${id}.`, done)
  }
}
