import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import type {TargetScene} from '../../src/conversation/resolve-target.js'
import {forTerminalLine} from '../../src/platform/sanitise.js'

export default class ConversationUnarchive extends ConversationCommand {
  static override summary = 'Bring conversations back from the archive.'
  static override description = 'Shows what will come back and asks; without a terminal it needs --yes.'
  static override strict = false
  static override usage = 'conversation unarchive TARGET... [--yes]'
  static override flags = {yes: Flags.boolean({char: 'y', summary: "Don't ask."})}

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationUnarchive)
    const archived = (await this.resolveTargets(argv.map(String))).filter((entry) => entry.archived)
    const none = 'There is nothing to bring back.'
    if (archived.length === 0) return this.output.list([], [], none)
    const plan = archived.map(
      ({id, metadata}) => `Bring back ${id}: ${forTerminalLine(metadata.title ?? '(no title)')}`,
    )
    await this.confirm(
      archived.length === 1 ? 'Bring it back?' : `Bring back these ${archived.length}?`,
      plan,
      flags.yes,
    )
    for (const {id} of archived) this.locked(id, (held) => held.setArchived(false), true)
    this.listDone(
      archived.map(({id}) => id),
      {verb: 'Brought back', none},
    )
  }

  protected override async defaultTarget(_scene: TargetScene) {
    return {kind: 'pick', among: 'archived'} as const
  }
}
