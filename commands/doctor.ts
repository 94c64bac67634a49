import * as Flags from '@oclif/core/flags'
import {examine, type Finding} from '../src/bootstrap/doctor.js'
import {JpCommand} from '../src/cli/base-command.js'
import {JpError} from '../src/errors/jp-error.js'
import {forTerminalLine} from '../src/platform/sanitise.js'

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
    const {checkout, silo, findings} = await examine(this.invocation, {fix: flags.fix})
    const {version, directories} = this.invocation
    const about = {jp: version, node: process.version, data: directories.data, config: directories.config}
    const workspace = checkout === undefined ? null : {id: checkout.id, root: checkout.root, store: silo ?? null}
    if (this.output.isJson) this.output.json({about, workspace, findings})
    else this.#print(workspace, findings)
    this.#end(findings)
  }

  #print(
    workspace: {readonly id: string; readonly root: string; readonly store: string | null} | null,
    findings: readonly Finding[],
  ): void {
    const {output, invocation} = this
    output.line(`jp ${invocation.version}, Node ${process.version}`, undefined)
    output.line(`Data       ${invocation.directories.data}`, undefined)
    output.line(
      workspace === null ? 'Workspace  none here' : `Workspace  ${workspace.id} at ${workspace.root}`,
      undefined,
    )
    if (workspace !== null) output.line(`Store      ${workspace.store ?? 'none yet'}`, undefined)
    for (const {path, reason, advice, state} of findings) {
      const words = {found: `--fix: ${advice}`, fixed: `fixed: ${advice}`, in_use: 'in use now; left alone'}[state]
      output.line(
        `${output.paint('yellow', '!')} ${forTerminalLine(path)}: ${forTerminalLine(reason)}\n    ${words}`,
        undefined,
      )
    }
    if (findings.length === 0) output.line('Everything is in order.', undefined)
  }

  /** Damage that stays is told by the exit code (Q2); left-overs of processes that died are not damage. */
  #end(findings: readonly Finding[]): void {
    const left = findings.filter(({code, state}) => state !== 'fixed' && code !== 'stale_lock' && code !== 'dead_root')
    if (left.length === 0) return
    throw new JpError(
      'conversation_corrupt',
      `${left.length} of these findings ${left.length === 1 ? 'is' : 'are'} damage.`,
      {
        hint: 'Run "jp doctor --fix" to put them right.',
      },
    )
  }
}
