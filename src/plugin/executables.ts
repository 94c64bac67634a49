import {type BigIntStats, closeSync, constants, fstatSync, openSync, readdirSync, statSync} from 'node:fs'
import {delimiter, isAbsolute, join} from 'node:path'
import type {UserDirectories} from '../platform/directories.js'
import {reasonOf} from '../platform/file-errors.js'
import {type HostEnvironment, variable} from '../platform/host-environment.js'
import {type PluginName, parsePluginName} from '../platform/id-grammar.js'
import {manifestInvalid} from './manifest.js'
import {type ManifestCache, openManifestCache} from './manifest-cache.js'
import {type ManifestReading, scanManifest} from './manifest-scan.js'
import {type Plugin, statedClaim} from './plugin.js'

/** The place of plugins that a user puts there by hand: `<data>/plugins/command`. */
export const pluginDirectory = (directories: UserDirectories): string => join(directories.data, 'plugins', 'command')

/** What the search stands on. */
export type SearchPlace = {
  readonly environment: HostEnvironment
  readonly directories: UserDirectories
  readonly nowMs: number
}

/** What is remembered of a file, and of a folder: the names in it that may be plugins. */
type Reading = ManifestReading | {readonly state: 'folder'; readonly names: readonly string[]}

/**
 * Every executable `jp-<name>` in the plugin directory and on `$PATH`, in that order (P2, P29). One file that is found
 * twice counts once; also under two names, when it states its claim itself: by the one that is its claim, or else the first.
 * Nothing is executed; manifests and names come from the cache where the file or the folder has not changed (P5).
 */
export const findExecutables = (place: SearchPlace): Plugin[] => {
  const {directories, nowMs} = place
  const cache = openManifestCache<Reading>({cacheDirectory: directories.cache, name: 'manifests', nowMs})
  const found = new Map<string, Plugin>()
  for (const folder of foldersOf(place)) {
    for (const fileName of namesIn(folder, cache)) {
      const name = nameOf(fileName, place.environment.platform)
      const path = join(folder, fileName)
      const stat = name === undefined ? undefined : statExecutable(path, place.environment.platform)
      if (name === undefined || stat === undefined) continue
      const plugin: Plugin = {name, origin: {kind: 'executable', path}, facts: readCached(path, stat, cache)}
      const claim = statedClaim(plugin)?.join('-')
      const file = `${stat.dev}:${stat.ino}:${claim === undefined ? name : ''}`
      const other = found.get(file)
      if (other === undefined || (name === claim && other.name !== claim)) found.set(file, plugin)
    }
  }
  cache.save()
  return [...found.values()]
}

/** A relative folder on `$PATH` would make a plugin of whatever lies in the cwd: it is not searched. */
const foldersOf = ({environment, directories}: SearchPlace): string[] => [
  ...new Set([
    pluginDirectory(directories),
    ...(variable(environment, 'PATH') ?? '').split(delimiter).filter((folder) => isAbsolute(folder)),
  ]),
]

/** A folder of fewer names is read as fast as it is remembered. */
const worthRemembering = 256

/** A folder keeps its stamp while nothing is put there, taken away or renamed. */
const namesIn = (folder: string, cache: ManifestCache<Reading>): readonly string[] => {
  try {
    const stat = statSync(folder, {bigint: true})
    const known = cache.find(folder, [stat])
    if (known?.state === 'folder') return known.names
    const all = readdirSync(folder)
    const names = all.filter((name) => name.startsWith('jp-')).sort()
    if (all.length >= worthRemembering) cache.store(folder, [stat], {state: 'folder', names})
    return names
  } catch {
    return []
  }
}

const nameOf = (fileName: string, platform: NodeJS.Platform): PluginName | undefined => {
  const bare = fileName.slice('jp-'.length)
  return parsePluginName(platform === 'win32' ? bare.replace(/\.exe$/i, '') : bare)
}

/** By its mode: asking the system for each file would take as long as everything else here (Q14). */
const statExecutable = (path: string, platform: NodeJS.Platform): BigIntStats | undefined => {
  try {
    const stat = statSync(path, {bigint: true, throwIfNoEntry: false})
    const isExecutable = stat?.isFile() === true && (platform === 'win32' || (stat.mode & 0o111n) !== 0n)
    return isExecutable ? stat : undefined
  } catch {
    return undefined
  }
}

const readCached = (path: string, stat: BigIntStats, cache: ManifestCache<Reading>): ManifestReading => {
  const known = cache.find(path, [stat])
  if (known !== undefined && known.state !== 'folder') return known
  const {reading, stamp} = readExecutable(path)
  if (stamp !== undefined) cache.store(path, [stamp], reading)
  return reading
}

/** Reads the manifest of a file now. What can't be read is an invalid manifest, not an end of the search. */
export const readExecutable = (path: string): {reading: ManifestReading; stamp: BigIntStats | undefined} => {
  let fd: number | undefined
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stamp = fstatSync(fd, {bigint: true})
    return {reading: scanManifest(fd, path), stamp}
  } catch (error) {
    const reason = manifestInvalid(path, `it can't be read: ${reasonOf(error)}`).message
    return {reading: {state: 'invalid', reason, claim: []}, stamp: undefined}
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
