import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {forkConversation} from '../../src/cli/fork-conversation.js'
import {optionalValue} from '../../src/cli/optional-value.js'

export default class ConversationFork extends ConversationCommand {
  static override summary = 'Start a new conversation from a part of another.'
  static override description = 'Events are copied as they are stored; the original is not touched.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }
  static override flags = {
    activate: Flags.boolean({char: 'a', summary: 'Make the fork the active conversation of this session.'}),
    first: Flags.integer({char: 'f', summary: 'Only the first N turns.', min: 1, helpValue: 'N'}),
    last: Flags.integer({char: 'l', summary: 'Only the last N turns.', min: 1, helpValue: 'N'}),
    from: Flags.string({summary: 'Only turns since then: 3d, 2026-09-01, an id.', helpValue: 'TIME'}),
    until: Flags.string({summary: 'Only turns until then.', helpValue: 'TIME'}),
    'no-turns': Flags.boolean({
      char: 'N',
      summary: 'Its configuration alone.',
      exclusive: ['first', 'last', 'from', 'until'],
    }),
    title: Flags.string({char: 't', summary: 'A title of its own.', helpValue: 'TITLE'}),
    label: Flags.string({summary: 'A label: key or key=value. Repeatable.', multiple: true, multipleNonGreedy: true}),
    compact: optionalValue(
      Flags.string({
        char: 'k',
        summary:
          'Make the fork shorter for the model, as conversation.compaction.rules say, or such as --compact=r+t:..-4.',
        helpValue: 'SPEC',
      }),
    ),
    'reset-labels': Flags.boolean({summary: "Leave the original's labels behind."}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationFork)
    const original = await this.resolveOne(args.target)
    const id = await forkConversation(this.desk, original, {...flags, session: this.session})
    this.output.line(id, {id, forked_from: original.id})
  }
}
