import * as Args from '@oclif/core/args'
import {holderOf} from '../../src/bootstrap/launch.js'
import {JpCommand} from '../../src/cli/base-command.js'
import {spelledOut} from '../../src/platform/sanitise.js'
import {createApprovalStore} from '../../src/plugin/approvals.js'
import {findPlugins} from '../../src/plugin/find-plugins.js'
import {pinPlugin} from '../../src/plugin/pin-plugin.js'

export default class PluginsPin extends JpCommand {
  static override summary = 'Pin a plugin to the bytes that it has now: other bytes are refused.'
  static override description =
    'Writes plugins.command.NAME.checksum to the user-global configuration. It approves nothing and needs no workspace.'
  static override args = {
    plugin: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'The name of the plugin, or the path of its file.',
    }),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(PluginsPin)
    const {environment, directories, clock} = this.invocation
    const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
    const pinned = await pinPlugin(
      {
        cwd: environment.cwd,
        cacheDirectory: directories.cache,
        nowMs: clock.nowMs(),
        find: () => findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals.read()),
      },
      args.plugin,
      {directories, configCwd: environment.cwd, env: environment.env, holder: holderOf(this.invocation)},
    )
    const {name, path, sha256, file} = pinned
    this.output.line(spelledOut(`Pinned ${name} in ${file}: ${path}, sha256 ${sha256}.`), pinned)
  }
}
