import * as Args from '@oclif/core/args'
import {useConversation} from '../../src/bootstrap/use-conversation.js'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import type {TargetScene} from '../../src/conversation/resolve-target.js'

export default class ConversationUse extends ConversationCommand {
  static override summary = 'Make a conversation the active one of this session.'
  static override description = 'Without a target: the one before. "jp query" continues the active one.'
  static override args = {target: Args.string({description: 'Which one; see "jp help targets".'})}

  override async run(): Promise<void> {
    const {args} = await this.parse(ConversationUse)
    const entry = await this.resolveOne(args.target)
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

  protected override async defaultTarget(scene: TargetScene) {
    return scene.previous === undefined
      ? ({kind: 'pick', among: 'live'} as const)
      : ({kind: 'rule', rule: 'previous'} as const)
  }
}
