import {hasCode, JpError} from '../../errors/jp-error.js'
import {readTextIfPresent} from '../../platform/files.js'
import {type PackageName, parsePackageName} from '../../platform/id-grammar.js'
import {isRecord, recordIn, textIn} from './json-fields.js'
import type {PackageSource} from './source.js'

/** A package that is installed or linked, as the index of the store holds it. */
export type InstalledPackage = {
  readonly name: PackageName
  readonly version: string
  /** The private folder, or the user's own one when it is linked. */
  readonly place:
    | {readonly kind: 'installed'; readonly folder: string; readonly integrity: string; readonly tree: string}
    | {readonly kind: 'linked'; readonly root: string}
  /** Where `jp plugins update` gets it from. */
  readonly source: PackageSource
  /** It was installed as the official registry wanted it. */
  readonly isOfficial: boolean
  /** RFC 3339 */
  readonly installedAt: string
}

/** The index of the store: what is installed, and the folders that were replaced, with the time (RFC 3339). */
export type PackageIndex = {
  readonly packages: readonly InstalledPackage[]
  readonly retired: Readonly<Record<string, string>>
}

const maxIndexBytes = 16 * 1024 * 1024

/** True for an index that is there and does not parse. */
export const isCorrupt = (path: string): boolean => {
  try {
    readIndex(path)
    return false
  } catch (error) {
    if (hasCode(error, 'plugin_store_corrupt')) return true
    throw error
  }
}

/** True for the name of the folder of a version: `jp-notes@1.0.0-5a5a5e81`, `@me+notes@…`. */
export const isFolderName = (name: string): boolean => /^[A-Za-z0-9@][A-Za-z0-9@+._-]*@[A-Za-z0-9+._-]+$/.test(name)

/**
 * Reads the index; an empty one when there is none.
 * @throws JpError `plugin_store_corrupt`.
 */
export const readIndex = (path: string): PackageIndex => {
  const text = readTextIfPresent(path, {maxBytes: maxIndexBytes})
  if (text === undefined) return {packages: [], retired: {}}
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value) || !Array.isArray(value['packages'])) throw new SyntaxError('it is no index')
    const retired = Object.entries(recordIn(value, 'retired')).filter(([, at]) => typeof at === 'string')
    return {
      packages: value['packages'].flatMap((entry: unknown) => toPackage(entry) ?? []),
      retired: Object.fromEntries(retired) as Record<string, string>,
    }
  } catch (error) {
    throw new JpError('plugin_store_corrupt', `${path} does not parse: ${(error as Error).message}.`, {
      cause: error,
      hint: "The packages are as they were, but jp can't tell which is which. Install them again; the file is set aside then.",
    })
  }
}

/** A package as the index holds it. */
export const toFields = ({name, version, place, source, isOfficial, installedAt}: InstalledPackage) => ({
  name,
  version,
  ...place,
  source,
  official: isOfficial,
  installed_at: installedAt,
})

/** Entries that make no sense are passed over: the folder is swept, and the package can be installed again. */
const toPackage = (entry: unknown): InstalledPackage | undefined => {
  if (!isRecord(entry)) return undefined
  const name = parsePackageName(textIn(entry, 'name') ?? '')
  const [version, source] = [textIn(entry, 'version'), entry['source']]
  const place = placeOfFields(entry)
  if (name === undefined || version === undefined || place === undefined || !isRecord(source)) return undefined
  return {
    name,
    version,
    place,
    source: source as PackageSource,
    isOfficial: entry['official'] === true,
    installedAt: textIn(entry, 'installed_at') ?? '',
  }
}

const placeOfFields = (entry: Readonly<Record<string, unknown>>): InstalledPackage['place'] | undefined => {
  if (entry['kind'] === 'linked') {
    const root = textIn(entry, 'root')
    return root === undefined ? undefined : {kind: 'linked', root}
  }
  const [folder, integrity, tree] = [textIn(entry, 'folder'), textIn(entry, 'integrity'), textIn(entry, 'tree')]
  if (folder === undefined || integrity === undefined || tree === undefined) return undefined
  return isFolderName(folder) ? {kind: 'installed', folder, integrity, tree} : undefined
}
