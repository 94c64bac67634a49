import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {useConversation} from '../../src/bootstrap/use-conversation.js'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {optionalValue} from '../../src/cli/optional-value.js'
import {parseLabels} from '../../src/conversation/labels.js'
import {parseMoment} from '../../src/conversation/moment.js'
import {JpError} from '../../src/errors/jp-error.js'
import type {ConversationId} from '../../src/platform/id-grammar.js'

export default class ConversationFork extends ConversationCommand {
  static override summary = 'Start a new conversation from a part of another.'
  static override description = 'Events are copied as they are stored; the original is not touched.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.'}),
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
    const {clock, environment, globals} = this.invocation
    if (globals.noPersist) throw new JpError('usage', '--no-persist stores nothing, and a fork is stored.')
    const entry = await this.resolveOne(args.target)
    const moment = (text: string | undefined) => (text === undefined ? undefined : parseMoment(text, clock.nowMs()))
    const {first, last, title} = flags
    const held = this.store.fork(
      entry.id,
      {first, last, fromMs: moment(flags.from), untilMs: moment(flags.until), noTurns: flags['no-turns']},
      {title, labels: parseLabels(flags.label ?? []), resetLabels: flags['reset-labels']},
    )
    held.release()
    if (flags.compact !== undefined) await this.#compact(held.id, flags.compact)
    if (flags.activate) {
      const {store, session} = this
      await useConversation(
        {store, session, silo: this.context.silo, clock, pid: environment.pid, isReadOnly: false},
        held.id,
      )
    }
    this.output.line(held.id, {id: held.id, forked_from: entry.id})
  }
  async #compact(id: ConversationId, spec: string): Promise<void> {
    const {compactConversation} = await import('../../src/cli/compact-conversation.js')
    const {invocation, context, store} = this
    await compactConversation({invocation, context, store}, id, {compact: spec === '' ? [] : [spec], isDry: false})
  }
}
