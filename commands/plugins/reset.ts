import * as Flags from '@oclif/core/flags'
import {JpCommand} from '../../src/cli/base-command.js'
import {agreeTo, withInstaller} from '../../src/cli/plugin-installer.js'
import {JpError} from '../../src/errors/jp-error.js'
import {resetPackages} from '../../src/plugin/install/reset-packages.js'

export default class PluginsReset extends JpCommand {
  static override summary = 'Remove every plugin package, and let linked folders go.'
  static override description =
    'Executables on $PATH stay. With --reinstall each package is fetched again from where it came and takes its own place; one that can not be fetched stays as it is. Linked folders are let go.'
  static override flags = {
    yes: Flags.boolean({char: 'y', summary: 'Do it without asking.'}),
    hard: Flags.boolean({summary: 'Remove what was cached of plugins, too, and the whole store.'}),
    reinstall: Flags.boolean({summary: 'Install each package anew from where it came.'}),
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(PluginsReset)
    const {prompter} = this.invocation
    if (!flags.yes) {
      const isAgreed = await prompter?.confirm({message: 'Remove every plugin package and its approval?'})
      if (isAgreed === undefined)
        throw new JpError('answer_required', 'Nobody agreed to it.', {hint: 'jp plugins reset --yes'})
      if (!isAgreed) throw new JpError('plugin_denied', 'Nothing was removed: you said no.')
    }
    const reset = await withInstaller(this.invocation, (deps) =>
      resetPackages(deps, {
        hard: flags.hard,
        reinstall: flags.reinstall,
        agree: agreeTo(this.invocation, {yes: flags.yes, command: 'jp plugins reset --reinstall'}),
      }),
    )
    const unchanged = reset.failed.map((one) => one.package)
    const [failed] = reset.failed
    const line = (verb: string, names: readonly string[]): string => `${verb}: ${names.join(', ') || 'none'}`
    this.output.line(
      [
        line('Removed', reset.removed),
        ...(flags.reinstall ? [line('Installed', reset.installed)] : []),
        ...(failed === undefined ? [] : [line('Unchanged', unchanged)]),
      ].join('\n'),
      {removed: reset.removed, installed: reset.installed, failed: unchanged},
    )
    if (failed !== undefined) throw failed.error
  }
}
