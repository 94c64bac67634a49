import {readdirSync} from 'node:fs'
import {extname, isAbsolute, join, relative, resolve, sep} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {isInside} from '../platform/contained-path.js'
import {findConfigFile, isFile, isOfCheckout, liesInside} from './files.js'
import type {ConfigPlace} from './layers.js'
import {formats} from './syntax.js'

/** A file that a `--cfg` argument means. */
export type NamedFile = {readonly path: string; readonly fromCheckout: boolean}

type Root = {readonly path: string; readonly fromCheckout: boolean}

/** The folders in which `--cfg NAME` looks, most general first: each root with each load path. */
export const searchFolders = (place: ConfigPlace, loadPaths: readonly string[]): readonly (readonly Root[])[] => {
  // A load path may come from a checkout: one that climbs out of a root would pass off its files as the user's.
  const below = (path: string): string[] =>
    loadPaths.map((loadPath) => join(path, loadPath)).filter((folder) => isInside(path, folder))
  const user = (path: string): Root[] => [path, ...below(path)].map((folder) => ({path: folder, fromCheckout: false}))
  const {checkoutRoot: root, silo} = place
  return [
    user(join(place.directories.config, 'config')),
    ...(root === undefined ? [] : [below(root).map((path) => ({path, fromCheckout: true}))]),
    ...(silo === undefined ? [] : [user(join(silo, 'config'))]),
  ]
}

/**
 * The file that `@path` names, from the launch cwd.
 * @throws JpError `file_not_found`.
 */
export const fileNamed = (place: ConfigPlace, launchCwd: string, path: string): NamedFile => {
  const wanted = resolve(launchCwd, path)
  const found = findConfigFile(wanted)
  if (found === undefined) throw new JpError('file_not_found', `--cfg @${path}: there is no file ${wanted}.`)
  return {path: found, fromCheckout: isOfCheckout(place, found)}
}

/**
 * The files that a `--cfg` name means: a path that exists, else the first hit of each search root (facts 7.2).
 * @throws JpError `file_not_found` with the folders that were searched.
 */
export const filesNamed = (
  place: ConfigPlace,
  launchCwd: string,
  given: {readonly name: string; readonly loadPaths: readonly string[]},
): NamedFile[] => {
  const direct = resolve(launchCwd, given.name)
  if (isAbsolute(given.name) || isFile(direct)) return [fileNamed(place, launchCwd, given.name)]
  const folders = searchFolders(place, given.loadPaths)
  const found = folders.flatMap((root) => firstHit(place, root, given.name))
  if (found.length > 0) return found
  const searched = folders.flat().map((folder) => folder.path)
  throw new JpError('file_not_found', `--cfg ${given.name}: there is no configuration of that name.`, {
    hint: `Looked in:\n${[launchCwd, ...searched].map((folder) => `  ${folder}`).join('\n')}\nTo set a key, write KEY=VALUE.`,
  })
}

const firstHit = (place: ConfigPlace, folders: readonly Root[], name: string): NamedFile[] => {
  for (const folder of folders) {
    const path = findConfigFile(join(folder.path, name))
    const inside = path !== undefined && !relative(folder.path, path).startsWith('..')
    if (path !== undefined && inside && (!folder.fromCheckout || liesInside(folder.path, path)))
      return [{path, fromCheckout: folder.fromCheckout || isOfCheckout(place, path)}]
  }
  return []
}

/** A configuration that `--cfg NAME` finds, as the plugin message `configs` shows it. */
export type NamedConfiguration = {readonly segment: string; readonly namespace: string; readonly name: string}

const endings: ReadonlySet<string> = new Set(formats.map((format) => `.${format}`))

/** Every configuration that `--cfg NAME` would find, sorted by name, each once. */
export const listNamedConfigurations = (place: ConfigPlace, loadPaths: readonly string[]): NamedConfiguration[] => {
  const segments = new Set(
    searchFolders(place, loadPaths)
      .flat()
      .flatMap((folder) => configFilesBelow(folder.path)),
  )
  return [...segments].sort().map((segment) => {
    const slash = segment.lastIndexOf('/')
    return {segment, namespace: segment.slice(0, Math.max(0, slash)), name: segment.slice(slash + 1)}
  })
}

/** Every file of the checkout that `--cfg NAME` would find. */
export const checkoutFiles = (place: ConfigPlace, loadPaths: readonly string[]): string[] => {
  const {checkoutRoot: root} = place
  if (root === undefined) return []
  const folders = loadPaths.map((loadPath) => join(root, loadPath)).filter((folder) => liesInside(root, folder))
  return [...new Set(folders.flatMap(filesBelow))].filter((path) => liesInside(root, path)).sort()
}

/** The paths of the configuration files below a folder, without their endings. */
const configFilesBelow = (folder: string): string[] =>
  filesBelow(folder)
    .map((path) => relative(folder, path).split(sep).join('/'))
    .map((path) => path.slice(0, -extname(path).length))

const filesBelow = (folder: string): string[] => {
  try {
    return readdirSync(folder, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile() && endings.has(extname(entry.name)))
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}
