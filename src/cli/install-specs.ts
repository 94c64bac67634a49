import {JpError} from '../errors/jp-error.js'
import {spelledOut} from '../platform/sanitise.js'
import {quoteForShell} from '../platform/shell-quote.js'
import {type FoundSource, findSource} from '../plugin/install/find-source.js'
import {type InstallDeps, type Installed, installPackage} from '../plugin/install/install-package.js'
import {installedFields} from '../plugin/install/installed-fields.js'
import type {Invocation} from './invocation.js'
import {agreeTo, withInstaller} from './plugin-installer.js'

/** The flags of `jp plugins install`. */
export type InstallFlags = {
  readonly yes: boolean
  readonly force: boolean
  readonly silent: boolean
  readonly jit: boolean
}

/**
 * Installs what each spec names, one after the other, and tells of each; what was installed before one fails stays.
 * @throws JpError as `findSource` and `installPackage`; `usage`.
 */
export const installSpecs = async (
  invocation: Invocation,
  specs: readonly string[],
  flags: InstallFlags,
): Promise<void> => {
  const {output, globals} = invocation
  if (flags.silent && globals.verbosity > 0) throw new JpError('usage', '--silent and --verbose exclude each other.')
  const {yes, silent, force: refetch} = flags
  const install = async (deps: InstallDeps, spec: string): Promise<Installed> => {
    const found = await findSource(deps, spec)
    if (flags.jit) refuseUnofficial(spec, found)
    const command = `jp plugins install ${quoteForShell(spec)}`
    return installPackage(deps, {...found, agree: agreeTo(invocation, {yes, command, silent})})
  }
  const fields: unknown[] = []
  for (const spec of specs) {
    const {plan, path} = await withInstaller(invocation, (deps) => install(deps, spec), {silent, refetch})
    fields.push(installedFields(plan, path))
    const words = plan.plugins.map(({manifest}) => `jp ${manifest.command.join(' ')}`).join(', ')
    const text = `Installed ${plan.package} ${plan.version}. It is run with: ${words}`
    if (!output.isJson) output.line(spelledOut(text), undefined)
  }
  if (output.isJson) output.json(fields.length === 1 ? fields[0] : fields)
}

const refuseUnofficial = (spec: string, {official}: FoundSource): void => {
  if (official !== undefined) return
  throw new JpError('usage', `"${spec}" is no official plugin, and --jit installs those alone.`)
}
