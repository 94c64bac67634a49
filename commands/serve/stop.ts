import {DaemonCommand, portFlag} from '../../src/cli/daemon-command.js'
import {findDaemon, stopDaemon} from '../../src/daemon/reach-daemon.js'
import {terminate} from '../../src/platform/processes.js'

export default class ServeStop extends DaemonCommand {
  static override summary = 'End a running daemon, with its sessions and agents.'
  static override description = 'What its sessions have said is stored already. It has ended when this command returns.'
  static override flags = {port: portFlag}

  override async run(): Promise<void> {
    const {flags} = await this.parse(ServeStop)
    const daemon = findDaemon(this.invocation.directories.data, this.portOf(flags.port))
    await stopDaemon(daemon, terminate)
    this.output.line(`Stopped the daemon at ${daemon.url}.`, {url: daemon.url, pid: daemon.pid})
  }
}
