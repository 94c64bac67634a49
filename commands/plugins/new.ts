import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../../src/cli/base-command.js'
import {builtInsOf} from '../../src/cli/built-ins.js'
import {spelledOut} from '../../src/platform/sanitise.js'
import {beginPlugin, languages} from '../../src/plugin/new-plugin.js'

export default class PluginsNew extends JpCommand {
  static override summary = 'Begin a plugin of your own: a folder with one that works.'
  static override description =
    'Writes a folder of the name. What it needs of jp is among its files; oclif alone is a package that it depends on.'
  static override examples = ['jp plugins new notes', 'jp plugins new notes --language shell --scope multi']
  static override args = {
    name: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'The word behind jp, and the name of the folder.',
    }),
  }
  static override flags = {
    language: Flags.option({
      options: languages,
      default: 'typescript' as const,
      summary: 'What it is written in; oclif: command classes in JavaScript.',
    })(),
    scope: Flags.option({
      options: ['single', 'multi'] as const,
      default: 'single' as const,
      summary: 'single: handed the workspace of a run; multi: names one in each request.',
    })(),
    description: Flags.string({summary: 'One line for "jp --help".'}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(PluginsNew)
    const {environment, commands} = this.invocation
    const begun = beginPlugin({
      name: args.name,
      language: flags.language,
      scope: flags.scope,
      description: flags.description,
      parent: environment.cwd,
      builtIns: builtInsOf(commands),
    })
    const build = flags.language === 'typescript' ? `cd ${begun.name} && node build.mjs && cd ..` : undefined
    const steps = [build, `jp plugins install ./${begun.name}`, `jp ${begun.name}`].filter((step) => step !== undefined)
    this.output.line(spelledOut(`Made ${begun.path}. Next:\n  ${steps.join('\n  ')}`), {...begun, next: steps})
  }
}
