import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../src/cli/base-command.js'
import {listAsOclif} from '../src/cli/oclif-listing.js'

export default class Plugins extends JpCommand {
  static override summary = 'List the plugin packages that are installed.'
  static override description =
    'The list of oclif: name, version, and where a linked one lies; then the official plugins that are installed on first use. Nothing of a plugin is run. "jp plugins list" shows more: executables, commands, scopes and approvals.'
  static override flags = {
    core: Flags.boolean({summary: 'Show what is part of jp, too.'}),
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Plugins)
    const {text, rows} = await listAsOclif(this.invocation, flags)
    if (this.output.isJson) this.output.json(rows)
    else await this.output.write(text)
  }
}
