import {JpError} from '../../errors/jp-error.js'
import type {Route} from '../routing.js'
import {sourceOf} from './find-source.js'
import {type InstallDeps, installPackage} from './install-package.js'
import {
  forbidsDownload,
  officialFor,
  type RegistryEntry,
  readOfficialRegistry,
  refreshOfficialRegistry,
} from './official-registry.js'

/** A command line that may be for an official plugin that is not installed yet. */
export type FirstUse = {
  readonly words: readonly string[]
  /** The plugin that takes it now. */
  readonly route: Route | undefined
  /** One line for the user. */
  readonly note: (text: string) => void
}

/**
 * Installs the official plugin that a command line is for, when nothing that is installed takes as much of it (P8). Nobody is
 * asked: its bytes are those that the registry promised. The registry is fetched only for words that nothing takes.
 * @returns true when something was installed.
 * @throws JpError as `installPackage`; `plugin_not_found` when fetching it is forbidden.
 */
export const installOnFirstUse = async (deps: InstallDeps, {words, route, note}: FirstUse): Promise<boolean> => {
  const {directories, environment, clock} = deps
  const dataDirectory = directories.data
  const taken = route?.claim.length ?? 0
  const find = (): RegistryEntry | undefined => officialFor(words, readOfficialRegistry({dataDirectory}), taken)
  let entry = find()
  if (entry === undefined && route === undefined) {
    await refreshOfficialRegistry({environment, dataDirectory, nowMs: clock.nowMs()})
    entry = find()
  }
  if (entry === undefined) return false
  const {source, official} = sourceOf(entry)
  if (source.kind !== 'shipped' && forbidsDownload(environment)) {
    throw new JpError(
      'plugin_not_found',
      `The official plugin "${entry.id}" is not installed, and JP_NO_PLUGIN_DOWNLOAD is set.`,
      {
        hint: `To fetch it: jp plugins install ${entry.id}`,
      },
    )
  }
  note(`Installing the official plugin "${entry.id}" ${entry.version}.`)
  await installPackage(deps, {source, official, agree: () => Promise.resolve()})
  return true
}
