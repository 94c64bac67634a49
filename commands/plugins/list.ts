import {JpCommand} from '../../src/cli/base-command.js'
import {builtInsOf} from '../../src/cli/built-ins.js'
import {createApprovalStore} from '../../src/plugin/approvals.js'
import {findPlugins} from '../../src/plugin/find-plugins.js'
import {createPackageStore, tidyPackages} from '../../src/plugin/install/package-store.js'
import {listPlugins} from '../../src/plugin/list-plugins.js'

export default class PluginsList extends JpCommand {
  static override summary = 'List the plugins that jp finds, with their approval.'
  static override description = 'Reads manifests only: no plugin is run. It needs no workspace.'

  override async run(): Promise<void> {
    await this.parse(PluginsList)
    const {environment, directories, clock, commands} = this.invocation
    const store = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
    const approvals = store.read()
    const packages = createPackageStore({dataDirectory: directories.data, clock, pid: environment.pid})
    const damage = await tidyPackages(packages)
    if (damage !== undefined) this.output.warn(damage)
    if (approvals.unreadable !== undefined) this.output.warn(approvals.unreadable)
    const plugins = findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals)
    const checksums = {cacheDirectory: directories.cache, nowMs: clock.nowMs()}
    const rows = listPlugins({plugins, approvals, builtIns: builtInsOf(commands), checksums})
    this.output.list(
      rows,
      [
        {title: 'Name', text: (row) => row.name},
        {title: 'Command', text: (row) => (row.command === null ? '' : `jp ${row.command.join(' ')}`)},
        {title: 'Scope', text: (row) => row.scope ?? ''},
        {title: 'Approval', text: (row) => row.approval},
        {title: 'Path', text: (row) => row.path},
        {title: 'About', text: (row) => row.problem ?? row.description ?? '', flexible: true},
      ],
      'No plugins. To install one: jp plugins install NAME; see "jp help plugins".',
    )
  }
}
