import * as Args from '@oclif/core/args'
import {JpCommand} from '../../src/cli/base-command.js'
import {builtInsOf} from '../../src/cli/built-ins.js'
import {pluginDetails} from '../../src/cli/plugin-details.js'
import {createApprovalStore} from '../../src/plugin/approvals.js'
import {findPlugins} from '../../src/plugin/find-plugins.js'
import {inspectPlugin} from '../../src/plugin/list-plugins.js'

export default class PluginsInspect extends JpCommand {
  static override summary = 'Show what jp knows of plugins, without running them.'
  static override description = 'With -v also where the dependencies of a package lie.'
  static override examples = ['jp plugins inspect notes', 'jp plugins inspect .']
  static override strict = false
  static override args = {
    plugin: Args.string({
      ignoreStdin: true,
      description:
        'Names, as "jp plugins list" shows them, or npm names; . (the default) is the package in this folder.',
    }),
  }

  override async run(): Promise<void> {
    const {argv} = await this.parse(PluginsInspect)
    const {environment, directories, clock, commands, globals} = this.invocation
    const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid}).read()
    const plugins = findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals)
    const checksums = {cacheDirectory: directories.cache, nowMs: clock.nowMs()}
    const shelf = {plugins, approvals, builtIns: builtInsOf(commands), checksums, cwd: environment.cwd}
    const shown = (argv.length === 0 ? ['.'] : argv).map((name) => inspectPlugin(shelf, String(name)))
    if (this.output.isJson) return this.output.json(shown.length === 1 ? shown[0] : shown)
    for (const plugin of shown) this.output.details(plugin, pluginDetails(plugin, {paths: globals.verbosity > 0}))
  }
}
