import {join} from 'node:path'
import {removeFolder} from '../../platform/folders.js'
import {parsePluginName} from '../../platform/id-grammar.js'
import {findInstalled} from './find-installed.js'
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
 * Removes packages; none when one of the names is no installed package.
 * @throws JpError as {@link uninstallPackage}.
 */
export const uninstallPackages = async (deps: InstallDeps, targets: readonly string[]): Promise<Uninstalled[]> => {
  const names = [...new Set(targets.map((target) => findInstalled(deps, target).name))]
  const removed: Uninstalled[] = []
  for (const name of names) removed.push(await uninstallPackage(deps, name))
  return removed
}

/**
 * Removes a package, by any name of `findInstalled`, and takes its approvals back. Nothing of it runs.
 * @throws JpError `plugin_not_found`, `state_busy`, `file_unwritable`.
 */
export const uninstallPackage = async (deps: InstallDeps, target: string): Promise<Uninstalled> => {
  const store = storeOf(deps)
  const entry = findInstalled(deps, target)
  const plugins = pluginsOf(deps, entry)
  await store.alone(async () => {
    await store.record((installed) => installed.filter(({name}) => name !== entry.name))
    for (const name of plugins) {
      const parsed = parsePluginName(name)
      if (parsed !== undefined) await deps.approvals.revoke(parsed)
    }
  })
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
