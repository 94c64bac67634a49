import {dirname, join, relative, sep} from 'node:path'
import type {UserDirectories} from '../platform/directories.js'
import {storageName} from '../workspace/checkout.js'
import {readWithExtends} from './extends.js'
import {configFilesNamed, proveInside} from './files.js'
import type {Notice} from './notice.js'
import type {ConfigFile} from './syntax.js'
import type {ConfigObject} from './value.js'

/** Where configuration is resolved for. */
export type ConfigPlace = {
  readonly directories: UserDirectories
  /** The root of the checkout; absent outside any workspace. */
  readonly checkoutRoot?: string | undefined
  /** The folder that the chain of `.jp.*` files ends in. */
  readonly configCwd: string
  /** The user-local store of the workspace, when there is one. */
  readonly silo?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What a value comes from, most general first (W13). */
export const layerKinds = [
  'default',
  'user-global',
  'workspace',
  'directory',
  'user-workspace',
  'environment',
  'conversation',
  'command-line',
] as const
export type LayerKind = (typeof layerKinds)[number]

/** One source of configuration whose syntax was read. */
export type Layer = {
  readonly kind: LayerKind
  /** What people call it: the path of a file, the name of a variable, the argument of `--cfg`. */
  readonly name: string
  readonly value: ConfigObject
  readonly file?: ConfigFile
  /** It travels with the checkout, so someone else may have written it (W30). */
  readonly fromCheckout: boolean
  /** Layers of one group stand and fall together when `inherit = false` cuts: a file with all that it extends. */
  readonly group: string
}

/** Whether the files that a file extends are read with it. */
export type Following = 'extends' | 'own-files'

/** The layers of files, most general first, and what there is to say about them. */
export type ReadLayers = {readonly layers: readonly Layer[]; readonly notices: readonly Notice[]}

/**
 * Reads the configuration files of a place: bytes, syntax, `extends`. Neither the schema nor zod is needed, so a listing
 * can afford it. Writes nothing.
 * @throws JpError `config_malformed`, `config_invalid` (a cycle of `extends`), `file_unreadable`, `file_refused`.
 */
export const readLayers = async (place: ConfigPlace, following: Following = 'extends'): Promise<ReadLayers> => {
  const {checkoutRoot} = place
  const notices: Notice[] = []
  const layers: Layer[] = []
  const read = async (kind: LayerKind, folder: string, stem: string): Promise<void> => {
    const fromCheckout = kind === 'workspace' || kind === 'directory'
    const [path, ...shadowed] = configFilesNamed(folder, stem)
    if (path === undefined) return
    if (fromCheckout && checkoutRoot !== undefined) proveInside(checkoutRoot, path)
    notices.push(...shadowed.map((other) => shadowNotice(path, other)))
    const read = await readWithExtends(path, {kind, fromCheckout, place, following})
    layers.push(...read.layers)
    notices.push(...read.notices)
  }
  await read('user-global', place.directories.config, 'config')
  if (checkoutRoot !== undefined) await read('workspace', join(checkoutRoot, storageName), 'config')
  for (const folder of chain(checkoutRoot, place.configCwd)) await read('directory', folder, '.jp')
  if (place.silo !== undefined) await read('user-workspace', place.silo, 'config')
  return {layers, notices}
}

const shadowNotice = (path: string, other: string): Notice => ({
  kind: 'shadowed',
  text: `${other} is not read, since ${path} stands beside it.`,
})

/** The folders from the root down to the config cwd; outside a workspace, from the top of the file system. */
const chain = (root: string | undefined, configCwd: string): string[] => {
  const top = root ?? topOf(configCwd)
  const way = relative(top, configCwd)
  if (way.startsWith('..')) return [top]
  const folders = [top]
  for (const part of way.split(sep).filter((name) => name !== '')) folders.push(join(folders.at(-1) ?? top, part))
  return folders
}

const topOf = (path: string): string => {
  const parent = dirname(path)
  return parent === path ? path : topOf(parent)
}
