import {accessSync, constants} from 'node:fs'
import {basename, resolve} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {type PluginName, parsePluginName} from '../platform/id-grammar.js'
import {type Plugin, placeOf} from './plugin.js'

/** An executable that a user named. */
export type NamedPlugin = {readonly name: PluginName; readonly path: string}

/** Where a name is looked up. */
export type NamingPlace = {
  readonly cwd: string
  /** Every plugin that can be found; asked for a name only. */
  find(): readonly Plugin[]
}

/**
 * The executable that a user means: a path when it has a separator or is there from the cwd, else a name (P29).
 * @throws JpError `plugin_not_found`, `plugin_clash`, `usage` (no `jp-<name>`), `file_refused` (not executable).
 */
export const namePlugin = (place: NamingPlace, target: string): NamedPlugin => {
  const named = findTarget(place, target)
  assertExecutable(named.path)
  return named
}

const findTarget = (place: NamingPlace, target: string): NamedPlugin => {
  const path = resolve(place.cwd, target)
  if (/[/\\]/.test(target) || canonicalIfPresent(path) !== undefined) return atPath(path)
  const found = place.find().filter((plugin) => plugin.name === target)
  const [plugin, second] = found
  if (plugin === undefined) {
    throw new JpError(
      'plugin_not_found',
      `There is no plugin "${target}": no executable jp-${target} on $PATH or in the plugin directory.`,
      {
        hint: 'See "jp plugins list", or give the path of the file.',
      },
    )
  }
  if (second !== undefined) {
    throw new JpError('plugin_clash', `Two plugins are named "${target}": ${placeOf(plugin)} and ${placeOf(second)}.`, {
      hint: 'Give the path of the one that you mean, and remove the other from $PATH.',
    })
  }
  return {name: plugin.name, path: placeOf(plugin)}
}

const atPath = (path: string): NamedPlugin => {
  const file = basename(path)
  const name = file.startsWith('jp-') ? parsePluginName(file.slice('jp-'.length)) : undefined
  if (canonicalIfPresent(path) === undefined) throw new JpError('plugin_not_found', `There is no file ${path}.`)
  if (name === undefined) {
    throw new JpError('usage', `${path} is no plugin: the name of its file must be jp-<name>.`, {
      hint: 'Rename the file; jp finds executables by that prefix only.',
    })
  }
  return {name, path}
}

const assertExecutable = (path: string): void => {
  try {
    accessSync(path, constants.X_OK)
  } catch (error) {
    throw new JpError('file_refused', `${path} is not executable.`, {cause: error, hint: `chmod +x ${path}`})
  }
}
