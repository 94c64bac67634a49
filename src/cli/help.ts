import {Config} from '@oclif/core/config'
import {Help} from '@oclif/core/help'
import type {Invocation} from './invocation.js'
import {packageRoot} from './manifest.js'

/** oclif's help, on our printer. */
class JpHelp extends Help {
  readonly lines: string[] = []

  protected override log(...texts: string[]): void {
    this.lines.push(texts.join(' '))
  }
}

/**
 * Prints the help of a command, a topic or (with `''`) of jp. The full oclif configuration is loaded for this alone; it
 * reads our own manifest and looks for no plugins.
 */
export const printHelp = async (id: string, invocation: Invocation): Promise<void> => {
  const config = await Config.load({root: packageRoot(), userPlugins: false, devPlugins: false})
  const help = new JpHelp(config, {
    maxWidth: invocation.output.width === 0 ? 100 : Math.min(invocation.output.width, 120),
  })
  await help.showHelp(id === '' ? [] : id.split(':'))
  await invocation.output.write(`${help.lines.join('\n').trimEnd()}\n`)
}
