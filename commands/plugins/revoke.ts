import * as Args from '@oclif/core/args'
import {JpCommand} from '../../src/cli/base-command.js'
import {createApprovalStore} from '../../src/plugin/approvals.js'
import {findPlugins} from '../../src/plugin/find-plugins.js'
import {revokePlugin} from '../../src/plugin/revoke-plugin.js'

export default class PluginsRevoke extends JpCommand {
  static override summary = 'Take the approval of a plugin back.'
  static override args = {
    name: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'The name, as "jp plugins list" shows it, or the npm name of a package.',
    }),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(PluginsRevoke)
    const {environment, directories, clock} = this.invocation
    const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
    const find = () => findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals.read())
    const names = await revokePlugin({approvals, find}, args.name)
    const fields = names.map((name) => ({name}))
    this.output.line(
      names.map((name) => `Revoked ${name}: it will be asked about again.`).join('\n'),
      fields.length === 1 ? fields[0] : fields,
    )
  }
}
