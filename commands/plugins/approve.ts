import * as Args from '@oclif/core/args'
import {JpCommand} from '../../src/cli/base-command.js'
import {builtInsOf} from '../../src/cli/built-ins.js'
import {spelledOut} from '../../src/platform/sanitise.js'
import {createApprovalStore} from '../../src/plugin/approvals.js'
import {approvePlugin} from '../../src/plugin/approve-plugin.js'
import {findPlugins} from '../../src/plugin/find-plugins.js'
import {describeManifest} from '../../src/plugin/host/describe.js'

export default class PluginsApprove extends JpCommand {
  static override summary = 'Approve a plugin: these bytes, at this path.'
  static override description =
    'Asks nothing and needs no workspace. A plugin with a manifest is not run; one without is run to describe itself.'
  static override args = {
    plugin: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'The path of the file, or the name of the plugin.',
    }),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(PluginsApprove)
    const {environment, directories, clock, commands} = this.invocation
    const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
    const approved = await approvePlugin(
      {
        approvals,
        environment,
        cacheDirectory: directories.cache,
        nowMs: clock.nowMs(),
        builtIns: builtInsOf(commands),
        find: () => findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals.read()),
        describe: (plugin) => describeManifest(plugin, environment),
        onRun: (path) => this.output.note(`${path} has no manifest: running it to describe itself.`),
      },
      args.plugin,
    )
    const {name, path, sha256, manifest} = approved
    if (this.output.isJson) {
      return this.output.json({name, path, sha256, command: manifest.command, scope: manifest.scope})
    }
    this.output.line(
      spelledOut(
        `Approved ${name} (jp ${manifest.command.join(' ')}, scope ${manifest.scope}): ${path}, sha256 ${sha256}.`,
      ),
      undefined,
    )
  }
}
