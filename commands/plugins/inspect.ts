import * as Args from '@oclif/core/args'
import {JpCommand} from '../../src/cli/base-command.js'
import {builtInsOf} from '../../src/cli/built-ins.js'
import {createApprovalStore} from '../../src/plugin/approvals.js'
import {findPlugins} from '../../src/plugin/find-plugins.js'
import {inspectPlugin} from '../../src/plugin/list-plugins.js'

export default class PluginsInspect extends JpCommand {
  static override summary = 'Show what jp knows of a plugin, without running it.'
  static override args = {
    name: Args.string({required: true, ignoreStdin: true, description: 'The name, as "jp plugins list" shows it.'}),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(PluginsInspect)
    const {environment, directories, clock, commands} = this.invocation
    const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid}).read()
    const plugins = findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals)
    const checksums = {cacheDirectory: directories.cache, nowMs: clock.nowMs()}
    const plugin = inspectPlugin({plugins, approvals, builtIns: builtInsOf(commands), checksums}, args.name)
    this.output.details(plugin, [
      ['Name', plugin.name],
      ['Command', plugin.command === null ? '' : `jp ${plugin.command.join(' ')}`],
      ['About', plugin.description ?? ''],
      ['Scope', plugin.scope ?? ''],
      ['Protocol', plugin.protocol === null ? '' : String(plugin.protocol)],
      ['Path', plugin.path],
      ...(plugin.package === null ? [] : ([['Package', `${plugin.package} ${plugin.version}`]] as const)),
      ...(plugin.hosted === null
        ? []
        : ([['Runs', plugin.hosted === 'entry' ? 'its entry' : 'hosted by jp']] as const)),
      ...(plugin.integrity === null ? [] : ([['Integrity', plugin.integrity]] as const)),
      ['sha256', plugin.sha256 ?? (plugin.approval === 'dev' ? 'a linked folder has none' : 'unreadable')],
      ['Approval', plugin.approval],
      ...(plugin.problem === null ? [] : ([['Problem', plugin.problem]] as const)),
    ])
  }
}
