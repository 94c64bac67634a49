import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {JpError} from '../../src/errors/jp-error.js'

export default class ConversationPath extends ConversationCommand {
  static override readsOnly = true
  static override summary = "Print the path of a conversation's folder, or of one of its files."
  static override description = 'Reads only. A file is the one that jp reads: the newer of its two copies.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.', ignoreStdin: true}),
  }
  static override flags = {
    events: Flags.boolean({summary: 'The stream of events.', exclusive: ['metadata', 'base-config']}),
    metadata: Flags.boolean({summary: 'Title, times and labels.', exclusive: ['base-config']}),
    'base-config': Flags.boolean({summary: 'The configuration that it started with.'}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationPath)
    const {id} = await this.resolveOne(args.target)
    const paths = this.store.paths(id)
    const path = flags.events
      ? paths.events
      : flags.metadata
        ? paths.metadata
        : flags['base-config']
          ? paths.baseConfig
          : paths.directory
    if (path === undefined) throw new JpError('file_not_found', `Conversation ${id} has no base_config.json.`)
    this.output.line(path, {id, path})
  }
}
