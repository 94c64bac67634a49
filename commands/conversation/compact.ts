import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {countOf, optionalValue} from '../../src/cli/optional-value.js'
import type {ConversationId} from '../../src/platform/id-grammar.js'

export default class ConversationCompact extends ConversationCommand {
  static override summary = 'Make the earlier turns of a conversation shorter for the model.'
  static override description =
    'What is stored stays whole: a compaction only says what is sent. Without a flag that says how, conversation.compaction.rules say it; without rules, reasoning and the contents of tool calls are left out of all turns but the last.'
  static override examples = [
    '<%= config.bin %> conversation compact --dry-run',
    '<%= config.bin %> conversation compact --summary --keep-last 3',
    '<%= config.bin %> conversation compact --compact r+t=omit:1..-4',
  ]
  static override usage = 'conversation compact [TARGET] [FLAGS]'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }
  static override flags = {
    'keep-first': Flags.string({
      summary: 'Leave the first N turns as they are, or those of the first hours: 3h.',
      helpValue: 'N',
    }),
    'keep-last': Flags.string({
      summary: 'Leave the last N turns as they are, or those of the last hours: 3h.',
      helpValue: 'N',
    }),
    from: Flags.integer({
      summary: 'From this turn on, counted from 1; a negative number counts from the last, -1.',
      helpValue: 'N',
      exclusive: ['keep-first'],
    }),
    to: Flags.integer({summary: 'Up to this turn.', helpValue: 'N', exclusive: ['keep-last']}),
    reasoning: Flags.boolean({char: 'r', summary: 'Leave reasoning out.'}),
    tools: optionalValue(
      Flags.string({
        char: 't',
        summary:
          'Leave the contents of tool calls out (strip), of the calls (sreq) or results (sres) alone, or all (omit).',
        helpValue: 'MODE',
      }),
    ),
    summary: optionalValue(
      Flags.string({
        char: 's',
        summary: 'Send a summary in their place, written by the model; --summary=all shows it the turns before too.',
        helpValue: 'CONTEXT',
      }),
    ),
    model: Flags.string({char: 'm', summary: 'The model that sums up.', helpValue: 'PROVIDER/NAME'}),
    compact: Flags.string({
      char: 'k',
      summary: 'A whole rule in one word, POLICY[+POLICY][:FROM..TO]; policies are r, s, t[=MODE]. Repeatable.',
      helpValue: 'SPEC',
      multiple: true,
      multipleNonGreedy: true,
    }),
    reset: optionalValue(
      Flags.string({
        summary: 'Take the last N compactions back; without a number, all.',
        helpValue: 'N',
        exclusive: ['compact', 'from', 'keep-first', 'keep-last', 'reasoning', 'summary', 'to', 'tools'],
      }),
    ),
    'dry-run': Flags.boolean({summary: 'Say what would be done, and do nothing.'}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationCompact)
    const {id} = await this.resolveOne(args.target)
    const isDry = flags['dry-run']
    if (flags.reset !== undefined) return this.#reset(id, {last: countOf('reset', flags.reset), isDry})
    const {compactConversation} = await import('../../src/cli/compact-conversation.js')
    const {invocation, context, store} = this
    const done = await compactConversation({invocation, context, store}, id, {...flags, isDry})
    if (this.output.isJson || done.length === 0) return this.output.list(done, [], 'There is nothing to compact.')
    const verb = isDry ? 'Would compact' : 'Compacted'
    for (const one of done) this.output.line(`${verb} turns ${one.from} to ${one.to} of ${id}.`, one)
  }

  async #reset(id: ConversationId, how: {readonly last: number | undefined; readonly isDry: boolean}): Promise<void> {
    const {resetCompactions} = await import('../../src/turn/reset-compactions.js')
    const count = this.locked(id, (held) => resetCompactions(held, how))
    const verb = how.isDry ? 'Would take back' : 'Took back'
    this.output.line(`${verb} ${count} ${count === 1 ? 'compaction' : 'compactions'} of ${id}.`, {id, count})
  }
}
