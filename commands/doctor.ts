import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../src/cli/base-command.js'
import {examine} from '../src/cli/doctor/examine.js'
import {assertSound, printExamination} from '../src/cli/doctor/report.js'
import {diagnoseDaemons} from '../src/daemon/leftovers.js'
import {JpError} from '../src/errors/jp-error.js'

export default class Doctor extends JpCommand {
  static override summary = 'Check everything that jp stands on, and put right what can be put right.'
  static override description =
    'Versions, folders, configuration, the provider of the model, checkouts, conversations, sessions, plugins, daemons, and what processes that died left. Says what it would do, and does it with --fix. No conversation is deleted: what is replaced goes to .trash/. What is in use is left alone. No plugin is run. Exit code 8 is damage, 1 what a run would fail for.'
  static override requirement = 'config-only' as const
  static override flags = {
    fix: Flags.boolean({summary: 'Put right what can be put right.'}),
    offline: Flags.boolean({summary: 'Ask no provider.'}),
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Doctor)
    if (flags.fix && this.invocation.globals.noPersist)
      throw new JpError('usage', '--no-persist stores nothing, and --fix only changes what is stored.')
    const examination = await examine(this.invocation, {...flags, diagnoseDaemons})
    printExamination(examination, this.invocation)
    assertSound(examination.findings)
  }
}
