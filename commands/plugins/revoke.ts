import * as Args from '@oclif/core/args'
import {JpCommand} from '../../src/cli/base-command.js'
import {JpError} from '../../src/errors/jp-error.js'
import {parsePluginName} from '../../src/platform/id-grammar.js'
import {createApprovalStore} from '../../src/plugin/approvals.js'

export default class PluginsRevoke extends JpCommand {
  static override summary = 'Take the approval of a plugin back.'
  static override args = {
    name: Args.string({required: true, ignoreStdin: true, description: 'The name, as "jp plugins list" shows it.'}),
  }

  override async run(): Promise<void> {
    const {args} = await this.parse(PluginsRevoke)
    const {environment, directories, clock} = this.invocation
    const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
    const name = parsePluginName(args.name)
    if (name === undefined || !(await approvals.revoke(name))) {
      throw new JpError('plugin_not_found', `No plugin "${args.name}" is approved.`, {hint: 'See "jp plugins list".'})
    }
    this.output.line(`Revoked ${name}: it will be asked about again.`, {name})
  }
}
