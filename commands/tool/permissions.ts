import {coverOf, permissionsOf} from '../../src/cli/tool-permissions.js'
import {WorkspaceCommand} from '../../src/cli/workspace-command.js'

export default class ToolPermissions extends WorkspaceCommand {
  static override summary = 'List what tools may do here without being asked about.'
  static override description =
    'Each was given by an "always" to the question about a call. "jp tool forget" takes one back.'
  static override requirement = 'resolve' as const

  override async run(): Promise<void> {
    await this.parse(ToolPermissions)
    const {silo} = this.context
    const rules = silo === undefined ? [] : permissionsOf(silo, this.invocation).list()
    this.output.list(
      rules.map((rule, index) => ({number: index + 1, ...rule})),
      [
        {title: 'No', text: ({number}) => String(number)},
        {title: 'Tool', text: ({tool}) => tool},
        {title: 'May', text: (rule) => coverOf(rule)},
        {title: 'Since', text: ({given_at: since}) => since},
      ],
      'Every call is asked about.',
    )
  }
}
