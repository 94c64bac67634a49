import {DaemonCommand, portFlag} from '../../src/cli/daemon-command.js'
import {findDaemon} from '../../src/daemon/reach-daemon.js'
import {quoteForShell} from '../../src/platform/shell-quote.js'

export default class ServeEnv extends DaemonCommand {
  static override summary = 'Print how a client reaches a running daemon, as shell exports.'
  static override description = 'It holds the token: eval it, and keep it out of logs.'
  static override examples = ['eval "$(<%= config.bin %> serve env)"']
  static override flags = {port: portFlag}

  override async run(): Promise<void> {
    const {flags} = await this.parse(ServeEnv)
    const {url, token} = findDaemon(this.invocation.directories.data, this.portOf(flags.port))
    const values = {JP_SERVER_URL: url, ...(token === undefined ? {} : {JP_SERVER_TOKEN: token})}
    if (this.output.isJson) return this.output.json(values)
    const lines = Object.entries(values).map(([name, value]) => `export ${name}=${quoteForShell(value)}\n`)
    await this.output.write(lines.join(''))
  }
}
