import {type BigIntStats, statSync} from 'node:fs'
import {join} from 'node:path'
import {hasCode} from '../errors/jp-error.js'
import {type PluginName, parsePluginName} from '../platform/id-grammar.js'
import type {SearchPlace} from './executables.js'
import {type PackageFacts, tryPackageFacts} from './install/package-facts.js'
import {readPackageFiles} from './install/package-files.js'
import type {InstalledPackage} from './install/package-index.js'
import {createPackageStore, packagesFolder, rootOf} from './install/package-store.js'
import {type ManifestCache, openManifestCache} from './manifest-cache.js'
import type {PackageOrigin, Plugin} from './plugin.js'

type Reading = PackageFacts | {readonly reason: string}

/**
 * Every claim of every package that is installed or linked. Nothing of a package is loaded: its JSON files are read, from
 * the cache where they have not changed (P3, P5). An index that does not parse holds no packages here; `jp plugins list`
 * says so.
 */
export const findPackages = (place: SearchPlace): Plugin[] => {
  const installed = listInstalled(place)
  if (installed.length === 0) return []
  const {directories, nowMs} = place
  const cache = openManifestCache<Reading>({cacheDirectory: directories.cache, name: 'packages', nowMs})
  const found = installed.flatMap((entry) => {
    const root = rootOf(directories.data, entry)
    return pluginsOf(readCached(root, cache), originOf(directories.data, root, entry))
  })
  cache.save()
  return found
}

const listInstalled = ({directories, environment, nowMs}: SearchPlace): readonly InstalledPackage[] => {
  try {
    const deps = {dataDirectory: directories.data, clock: {nowMs: () => nowMs}, pid: environment.pid}
    return createPackageStore(deps).list()
  } catch (error) {
    if (hasCode(error, 'plugin_store_corrupt', 'file_unreadable', 'file_refused', 'file_corrupt')) return []
    throw error
  }
}

const originOf = (dataDirectory: string, root: string, entry: InstalledPackage): PackageOrigin => {
  const {name, version, place, isOfficial} = entry
  const isLinked = place.kind === 'linked'
  return {
    kind: 'package',
    path: root,
    tree: isLinked ? root : join(packagesFolder(dataDirectory), place.folder),
    npmName: name,
    version,
    isLinked,
    placed: isLinked ? undefined : {integrity: place.integrity, sha256: place.tree},
    isOfficial,
  }
}

/** One plugin a claim; a package that can't be read is one plugin with its reason. */
export const pluginsOf = (reading: Reading, origin: PackageOrigin): Plugin[] => {
  if ('reason' in reading) {
    const name = nameOfPackage(origin)
    return [{name, origin, facts: {state: 'invalid', reason: reading.reason, claim: []}}]
  }
  return reading.manifests.map((manifest) => ({
    name: parsePluginName(manifest.command.join('-')) ?? nameOfPackage(origin),
    origin,
    facts: {state: 'valid', manifest},
  }))
}

/** A package that states no claim goes by its npm name. */
const nameOfPackage = ({npmName}: PackageOrigin): PluginName =>
  parsePluginName(npmName.replace(/^@/, '').replaceAll('/', '-')) ?? ('package' as PluginName)

const readCached = (root: string, cache: ManifestCache<Reading>): Reading => {
  const file = join(root, 'package.json')
  const stats = [file, join(root, 'oclif.manifest.json')].flatMap(statIfPresent)
  const known = cache.find(file, stats)
  if (known !== undefined) return known
  const reading = readNow(root)
  if (stats.length > 0) cache.store(file, stats, reading)
  return reading
}

const statIfPresent = (path: string): BigIntStats[] => {
  try {
    const stat = statSync(path, {bigint: true, throwIfNoEntry: false})
    return stat === undefined ? [] : [stat]
  } catch {
    return []
  }
}

/** What a package says of itself now. What can't be read is a reason, not an end of the search. */
export const readNow = (root: string): Reading => {
  const files = readPackageFiles(root)
  return 'reason' in files ? files : tryPackageFacts(files, root)
}

/** The npm name of the package in a folder; undefined when there is none. */
export const npmNameIn = (root: string): string | undefined => {
  const facts = readNow(root)
  return 'reason' in facts ? undefined : facts.npmName
}
