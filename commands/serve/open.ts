import * as Flags from '@oclif/core/flags'
import {DaemonCommand, portFlag} from '../../src/cli/daemon-command.js'
import {askDaemon, findDaemon} from '../../src/daemon/reach-daemon.js'
import {openInBrowser} from '../../src/platform/browser.js'

export default class ServeOpen extends DaemonCommand {
  static override summary = 'Open the page of a running daemon in a browser.'
  static override description =
    'The link works once, for a minute, and holds no token. It is printed, too: where there is no browser, paste it.'

  static override flags = {
    port: portFlag,
    'print-only': Flags.boolean({summary: 'Print the link, and start no browser.'}),
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(ServeOpen)
    const daemon = findDaemon(this.invocation.directories.data, this.portOf(flags.port))
    const {url} = (await askDaemon(daemon, 'POST', '/daemon/links')) as {readonly url: string}
    this.output.line(url, {url})
    if (flags['print-only'] || !this.invocation.isInteractive) return
    const {env, platform} = this.invocation.environment
    if (!(await openInBrowser(url, {env, platform})))
      this.output.note('No browser could be started: open the link by hand.')
  }
}
