import {JpCommand} from '../../src/cli/base-command.js'

export default class ConfigSchema extends JpCommand {
  static override summary = 'Print the JSON Schema of configuration files, for editors.'
  static override examples = ['jp config schema > jp.schema.json']

  override async run(): Promise<void> {
    await this.parse(ConfigSchema)
    const {configJsonSchema} = await import('../../src/config/json-schema.js')
    const schema = configJsonSchema()
    this.output.line(JSON.stringify(schema, undefined, 2), schema)
  }
}
