import * as Args from '@oclif/core/args'
import {JpCommand} from '../src/cli/base-command.js'
import {printHelpFor} from '../src/cli/help.js'

export default class Help extends JpCommand {
  static override summary = 'Show the help of a command or of a topic.'
  static override description =
    'Topics: targets, configuration, environment, exit-codes, plugins, protocol. "jp help" alone lists everything.'
  static override examples = ['<%= config.bin %> help query', '<%= config.bin %> help exit-codes']
  static override args = {subject: Args.string({description: 'a command or a topic', ignoreStdin: true})}
  static override strict = false

  override async run(): Promise<void> {
    const {argv} = await this.parse(Help)
    await printHelpFor(argv.map(String), this.invocation)
  }
}
