import {accessSync, constants, statSync} from 'node:fs'
import {basename, resolve} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {parsePluginName} from '../platform/id-grammar.js'
import {type Plugin, placeOf} from './plugin.js'

/** A plugin that a user named. */
export type NamedPlugin = Pick<Plugin, 'name' | 'origin' | 'facts'>

/** Where a name is looked up. */
export type NamingPlace = {
  readonly cwd: string
  /** Every plugin that can be found; asked for a name only. */
  find(): readonly Plugin[]
}

/**
 * The plugin that a user means: the path of an executable when it has a separator or is there from the cwd, else the name
 * of a plugin or of an npm package (P29).
 * @throws JpError `plugin_not_found`, `plugin_clash`, `usage` (no `jp-<name>`), `file_refused` (not executable).
 */
export const namePlugin = (place: NamingPlace, target: string): NamedPlugin => {
  const named = findTarget(place, target)
  if (named.origin.kind === 'executable') assertExecutable(named.origin.path)
  return named
}

const findTarget = (place: NamingPlace, target: string): NamedPlugin => {
  const path = resolve(place.cwd, target)
  const all = place.find()
  const ofPackage = all.filter(({origin}) => origin.kind === 'package' && origin.npmName === target)
  if (ofPackage.length === 0 && (/[/\\]/.test(target) || isFile(path))) return atPath(path)
  const named = all.filter((plugin) => plugin.name === target)
  const [plugin, second] = named.length > 0 ? named : ofPackage
  if (plugin === undefined) {
    throw new JpError(
      'plugin_not_found',
      `There is no plugin "${target}": no package that claims it, and no executable jp-${target} on $PATH or in the plugin directory.`,
      {
        hint: 'See "jp plugins list", or give the path of the file.',
      },
    )
  }
  if (second !== undefined) {
    if (named.length === 0) {
      const names = ofPackage.map(({name}) => name).join(', ')
      throw new JpError('usage', `The package ${target} has several plugins: ${names}.`, {hint: 'Name one of them.'})
    }
    throw new JpError('plugin_clash', `Two plugins are named "${target}": ${placeOf(plugin)} and ${placeOf(second)}.`, {
      hint: 'Give the path of the one that you mean, and remove the other from $PATH.',
    })
  }
  return plugin
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
  return {name, origin: {kind: 'executable', path}, facts: {state: 'absent'}}
}

/** A folder that happens to be named like the plugin is not meant. */
const isFile = (path: string): boolean => statSync(path, {throwIfNoEntry: false})?.isFile() === true

const assertExecutable = (path: string): void => {
  try {
    accessSync(path, constants.X_OK)
  } catch (error) {
    throw new JpError('file_refused', `${path} is not executable.`, {cause: error, hint: `chmod +x ${path}`})
  }
}
