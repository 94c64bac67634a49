import {DaemonCommand, portFlag} from '../../src/cli/daemon-command.js'
import {cell} from '../../src/cli/output.js'
import {findDaemon, reportOf} from '../../src/daemon/reach-daemon.js'

export default class ServeStatus extends DaemonCommand {
  static override summary = 'Show what a running daemon serves and does.'
  static override flags = {port: portFlag}

  override async run(): Promise<void> {
    const {flags} = await this.parse(ServeStatus)
    const daemon = findDaemon(this.invocation.directories.data, this.portOf(flags.port))
    const report = await reportOf(daemon)
    const {sessions, activity, permissions, transport} = report.runtime
    this.output.details(report, [
      ['URL', daemon.url],
      ['Process', String(daemon.pid)],
      ['Since', daemon.started_at],
      [
        'Workspaces',
        report.workspaces.map(({cwd, trusted}) => cell(`${cwd}${trusted ? '' : ' (not trusted)'}`)).join('\n'),
      ],
      ['Sessions', `${sessions.active} live, ${activity.activePrompts} working, ${permissions.pending} waiting`],
      ['Readers', String(transport.restSseActive)],
    ])
  }
}
