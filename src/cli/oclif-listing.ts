import type {Config} from '@oclif/core/config'
import {packageRoot} from '../platform/package-root.js'
import {forTerminal} from '../platform/sanitise.js'
import {toOclifPlugin} from '../plugin/install/oclif-mirror.js'
import {readOfficialRegistry} from '../plugin/install/official-registry.js'
import type {InstalledPackage} from '../plugin/install/package-index.js'
import {createPackageStore, rootOf, tidyPackages} from '../plugin/install/package-store.js'
import type {Invocation} from './invocation.js'
import {createOclifConfig} from './oclif-config.js'

/** What oclif's list says of our packages: its text, and its rows for JSON. */
export type OclifListing = {readonly text: string; readonly rows: readonly unknown[]}

/**
 * Lets the list command of `@oclif/plugin-plugins` list our packages (P28). It is shown plain data of our index in the place
 * of loaded plugins, so nothing of a package is read or run; official plugins that nobody has yet are its "JIT plugins".
 */
export const listAsOclif = async (invocation: Invocation, {core}: {readonly core: boolean}): Promise<OclifListing> => {
  const {commands} = await import('@oclif/plugin-plugins')
  const lines: string[] = []
  class Listing extends commands.plugins {
    override log(line = ''): void {
      lines.push(line)
    }
  }
  const installed = await listInstalled(invocation)
  const listing = new Listing(core ? ['--core'] : [], configOf(invocation, installed))
  const rows = await listing.run()
  return {text: lines.map((line) => `${forTerminal(line)}\n`).join(''), rows}
}

const listInstalled = async ({
  environment,
  directories,
  clock,
  output,
}: Invocation): Promise<readonly InstalledPackage[]> => {
  const store = createPackageStore({dataDirectory: directories.data, clock, pid: environment.pid})
  const damage = await tidyPackages(store)
  if (damage === undefined) return store.list()
  output.warn(damage)
  return []
}

/** Our packages in the shape in which oclif holds plugins, less everything that could load one. */
const configOf = (invocation: Invocation, installed: readonly InstalledPackage[]): Config => {
  const {directories, version} = invocation
  const root = packageRoot()
  const plugins = [
    {name: 'jp', type: 'core', version, root},
    ...installed.map((entry) => ({
      ...toOclifPlugin(entry),
      version: entry.version,
      root: rootOf(directories.data, entry),
    })),
  ]
  const jitPlugins = Object.fromEntries(
    readOfficialRegistry({dataDirectory: directories.data})
      .filter(({official}) => official)
      .map((entry) => [entry.package, entry.version]),
  )
  const config = createOclifConfig(invocation)
  return Object.assign(config, {root, getPluginsList: () => plugins, pjson: {oclif: {jitPlugins}}})
}
