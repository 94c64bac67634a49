import {join} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {removeFolder} from '../../platform/folders.js'
import {parsePluginName} from '../../platform/id-grammar.js'
import {type InstallDeps, storeOf} from './install-package.js'
import type {InstalledPackage} from './package-index.js'
import type {PackageStore} from './package-store.js'

/** A package that was removed, with the plugins that went with it. */
export type Uninstalled = {
  readonly package: string
  readonly version: string
  /** A linked folder is let go; it stays where it is. */
  readonly linked: boolean
  readonly plugins: readonly string[]
}

/**
 * Removes a package by its npm name or by the name of one of its plugins, and takes its approvals back. Nothing of it runs.
 * @throws JpError `plugin_not_found`, `state_busy`, `file_unwritable`.
 */
export const uninstallPackage = async (deps: InstallDeps, target: string): Promise<Uninstalled> => {
  const store = storeOf(deps)
  const named = deps.find().find(({name, origin}) => origin.kind === 'package' && name === target)
  const npmName = named?.origin.kind === 'package' ? named.origin.npmName : target
  const entry = store.list().find(({name}) => name === npmName)
  if (entry === undefined) throw notInstalled(deps, target)
  const plugins = pluginsOf(deps, entry)
  await store.record((installed) => installed.filter(({name}) => name !== entry.name))
  for (const name of plugins) {
    const parsed = parsePluginName(name)
    if (parsed !== undefined) await deps.approvals.revoke(parsed)
  }
  discard(store, entry)
  return {package: entry.name, version: entry.version, linked: entry.place.kind === 'linked', plugins}
}

/** The names of the plugins of a package, also of one that can't be read any more. */
const pluginsOf = (deps: InstallDeps, {name}: InstalledPackage): string[] =>
  deps
    .find()
    .flatMap((plugin) => (plugin.origin.kind === 'package' && plugin.origin.npmName === name ? [plugin.name] : []))

const discard = (store: PackageStore, {place}: InstalledPackage): void => {
  if (place.kind === 'installed') removeFolder(join(store.folder, place.folder))
}

const notInstalled = (deps: InstallDeps, target: string): JpError => {
  const executable = deps.find().find(({name, origin}) => origin.kind === 'executable' && name === target)
  if (executable !== undefined) {
    return new JpError('plugin_not_found', `"${target}" is an executable on $PATH, not an installed package.`, {
      hint: `To remove it: rm ${executable.origin.path}`,
    })
  }
  return new JpError('plugin_not_found', `No package "${target}" is installed.`, {hint: 'See "jp plugins list".'})
}
