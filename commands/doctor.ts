import * as Flags from '@oclif/core/flags'
import {examine} from '../src/bootstrap/doctor.js'
import {JpCommand} from '../src/cli/base-command.js'
import {assertSound, printExamination} from '../src/cli/doctor-report.js'
import {JpError} from '../src/errors/jp-error.js'

export default class Doctor extends JpCommand {
  static override summary = 'Check the conversations of this workspace and the registry of checkouts.'
  static override description =
    'Says what it would do, and does it with --fix. Nothing is deleted: what is replaced goes to .trash/. What is in use is left alone.'
  static override requirement = 'config-only' as const
  static override flags = {fix: Flags.boolean({summary: 'Put right what can be put right.'})}

  override async run(): Promise<void> {
    const {flags} = await this.parse(Doctor)
    if (flags.fix && this.invocation.globals.noPersist)
      throw new JpError('usage', '--no-persist stores nothing, and --fix only changes what is stored.')
    const examination = await examine(this.invocation, {fix: flags.fix})
    printExamination(examination, this.invocation)
    assertSound(examination.findings)
  }
}
