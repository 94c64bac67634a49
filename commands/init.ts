import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {runPolicies} from '../src/bootstrap/init-answers.js'
import {initWorkspace} from '../src/bootstrap/init-workspace.js'
import {JpCommand} from '../src/cli/base-command.js'
import {cell} from '../src/cli/output.js'

export default class Init extends JpCommand {
  static override summary = 'Make a workspace of a folder.'
  static override description =
    'Writes .jp/.id and a commented .jp/config.toml, never over an existing .jp. On a terminal it asks for what the ' +
    'flags leave open; elsewhere it takes the careful choice.'
  static override examples = ['<%= config.bin %> init', '<%= config.bin %> init --model echo/echo --local notes']
  static override args = {
    path: Args.string({description: 'The folder; created when it is missing. Default: here.', ignoreStdin: true}),
  }
  static override flags = {
    model: Flags.string({helpValue: 'PROVIDER/NAME', summary: 'The model that answers.'}),
    'run-tools': Flags.option({options: runPolicies, summary: 'Whether tools run without asking.'})(),
    'user-name': Flags.string({helpValue: 'NAME', summary: 'Your name, for the user-global configuration.'}),
    local: Flags.boolean({summary: 'Keep new conversations on this machine only.', exclusive: ['shared']}),
    shared: Flags.boolean({
      summary: 'Also write new conversations to .jp/conversations (default).',
      exclusive: ['local'],
    }),
    'test-call': Flags.boolean({summary: 'Ask the model once (default on a terminal).', allowNo: true}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Init)
    const {checkout, answers, next} = await initWorkspace(this.invocation, args.path, {
      model: flags.model,
      runTools: flags['run-tools'],
      userName: flags['user-name'],
      testCall: flags['test-call'],
      local: flags.local ? true : flags.shared ? false : undefined,
    })
    this.output.line(`Initialized workspace at ${cell(checkout.root)}`, {...checkout, model: answers.model ?? null})
    if (answers.model === undefined) this.output.note('No model is set yet.')
    this.output.note(`Next:\n${next.map((command) => `  ${command}`).join('\n')}`)
  }
}
