import {JpPluginCommand} from '../jp-command.js'

/** What is typed behind "jp __NAME__" has a file of its own in commands/__NAME__/. */
export default class extends JpPluginCommand {
  static summary = 'Tell how many __THINGS__ there are.'
  static workspaceScope = '__SCOPE__'

  async run() {
    const things = await this.__ASK__
    this.log(`__NAME__: ${things.length} __THINGS__`)
  }
}
