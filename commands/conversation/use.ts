import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {useConversation} from '../../src/bootstrap/use-conversation.js'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import type {ConversationEntry} from '../../src/conversation/entry.js'
import type {TypedSpan} from '../../src/conversation/moment.js'
import type {TargetScene} from '../../src/conversation/resolve-target.js'
import {JpError} from '../../src/errors/jp-error.js'

export default class ConversationUse extends ConversationCommand {
  static override summary = 'Make a conversation the active one of this session.'
  static override description = 'Without a target: the one before. "jp query" continues the active one.'
  static override flags = {
    grep: Flags.string({summary: 'The one that holds this text; of several you choose.', helpValue: 'TEXT'}),
    from: Flags.string({summary: 'One created since then: 3d, 2026-09-01, an id.', helpValue: 'TIME'}),
    until: Flags.string({summary: 'One created until then.', helpValue: 'TIME'}),
  }
  static override args = {target: Args.string({description: 'Which one; see "jp help targets".', ignoreStdin: true})}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationUse)
    const entry = await this.#chosen(args.target, flags)
    const {clock, environment, globals} = this.invocation
    await useConversation(
      {
        store: this.store,
        silo: this.context.silo,
        session: this.session,
        clock,
        pid: environment.pid,
        isReadOnly: globals.noPersist,
      },
      entry.id,
    )
    this.output.line(`${entry.id} is the active conversation of this session.`, {id: entry.id})
  }

  async #chosen(
    target: string | undefined,
    {grep: text, from, until}: TypedSpan & {readonly grep?: string | undefined},
  ): Promise<ConversationEntry> {
    if (text === undefined && from === undefined && until === undefined) return this.resolveOne(target)
    if (target !== undefined) throw new JpError('usage', 'Name a conversation, or say what it holds: not both.')
    const [{conversationsWith}, {oneOf}] = await Promise.all([
      import('../../src/cli/conversation-grep.js'),
      import('../../src/conversation/resolve-target.js'),
    ])
    const what = text === undefined ? 'that span' : `"${text}"`
    return oneOf(await this.scene(), what, conversationsWith(this.desk, {text, from, until}))
  }

  protected override async defaultTarget(scene: TargetScene) {
    return scene.previous === undefined
      ? ({kind: 'pick', among: 'live'} as const)
      : ({kind: 'rule', rule: 'previous'} as const)
  }
}
