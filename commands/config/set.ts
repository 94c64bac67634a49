import * as Args from '@oclif/core/args'
import {ConfigCommand} from '../../src/cli/config-command.js'
import {editConfiguration, editFlags} from '../../src/cli/edit-configuration.js'

export default class ConfigSet extends ConfigCommand {
  static override summary = 'Set configuration keys in a file, keeping its comments.'
  static override description =
    "Takes the forms of --cfg: KEY=TEXT, KEY:=JSON, KEY+=TEXT and KEY:+=JSON; for one key KEY VALUE will do. Writes the workspace's .jp/config file unless a flag says otherwise."
  static override examples = [
    'jp config set assistant.model.id=anthropic/claude-sonnet-5',
    'jp config set --user-global editor.cmd=vim style.code.color=false',
    'jp config set --user-workspace plugins.command.ticket.run=allow',
  ]
  static override strict = false
  static override args = {
    assignment: Args.string({required: true, ignoreStdin: true, description: 'KEY=VALUE; may be repeated.'}),
  }
  static override flags = editFlags

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConfigSet)
    await editConfiguration(this.invocation, await this.configContext(), {set: assignments(argv.map(String)), flags})
  }
}

/** `set KEY VALUE` is what other tools take: it is no assignment of ours and can mean nothing else. */
const assignments = (words: readonly string[]): readonly string[] => {
  const [key = '', value] = words
  return words.length === 2 && value !== undefined && /^[\w.-]+$/.test(key) && !value.includes('=')
    ? [`${key}=${value}`]
    : words
}
