import {statSync} from 'node:fs'
import {join} from 'node:path'
import {makeDirectory, readTextIfPresent, writeAtomic} from '../../platform/files.js'
import type {HostEnvironment} from '../../platform/host-environment.js'
import {variable} from '../../platform/host-environment.js'
import {type PackageName, type PluginName, parsePackageName, parsePluginName} from '../../platform/id-grammar.js'
import {packageRoot} from '../../platform/package-root.js'
import {honourProxies} from '../../platform/proxy.js'
import {readClaim} from '../manifest.js'
import {isRecord, recordIn, textIn} from './json-fields.js'
import type {PackageSource} from './source.js'

/** A plugin that the registry knows (P8). */
export type RegistryEntry = {
  readonly claim: readonly string[]
  /** The plugin's name: the claim joined by `-`. */
  readonly id: PluginName
  readonly description: string
  readonly official: boolean
  readonly package: PackageName
  readonly version: string
  /** `sha512-…` of the tarball. */
  readonly integrity: string
  /** The file of a tarball that is shipped with jp. */
  readonly shipped: string | undefined
}

/** The tarballs of our own plugins, with their registry. */
export const shippedFolder = (): string => join(packageRoot(), 'dist', 'plugins')

/** Where the registry lies. */
export type RegistryPlace = {readonly dataDirectory: string}

const maxRegistryBytes = 4 * 1024 * 1024

/** What jp was shipped with, under what was fetched since. Reads two files; entries that make no sense are passed over. */
export const readOfficialRegistry = ({dataDirectory}: RegistryPlace): readonly RegistryEntry[] => {
  const entries = new Map<string, RegistryEntry>()
  for (const file of [join(shippedFolder(), 'registry.json'), cachedFile(dataDirectory)]) {
    for (const entry of parseRegistry(readOrNothing(file))) {
      const key = entry.claim.join(' ')
      const shipped = entries.get(key)
      entries.set(key, {...entry, shipped: entry.shipped ?? sameBytes(shipped, entry)?.shipped})
    }
  }
  return [...entries.values()]
}

/** The official plugin that takes most of these words; undefined when something installed takes as many. */
export const officialFor = (
  words: readonly string[],
  registry: readonly RegistryEntry[],
  taken: number,
): RegistryEntry | undefined =>
  registry
    .filter(({official, claim}) => official && claim.length > taken)
    .filter(({claim}) => claim.every((word, index) => word === words[index]))
    .sort((left, right) => right.claim.length - left.claim.length)[0]

const sameBytes = (known: RegistryEntry | undefined, entry: RegistryEntry): RegistryEntry | undefined =>
  known?.integrity === entry.integrity ? known : undefined

/** Where the package of an entry comes from: the tarball beside jp when there is one, so that it works offline. */
export const sourceOfEntry = (entry: RegistryEntry): PackageSource =>
  entry.shipped === undefined
    ? {kind: 'registry', name: entry.package, range: entry.version}
    : {kind: 'shipped', file: entry.shipped}

const cachedFile = (dataDirectory: string): string => join(dataDirectory, 'registry.json')

const readOrNothing = (file: string): string => {
  try {
    return readTextIfPresent(file, {maxBytes: maxRegistryBytes}) ?? ''
  } catch {
    return ''
  }
}

/** The entries of a registry file. Its key is the command path. */
const parseRegistry = (text: string): RegistryEntry[] => {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value) || value['version'] !== 1) return []
    return Object.entries(recordIn(value, 'plugins')).flatMap(([key, entry]) => toEntry(key, entry) ?? [])
  } catch {
    return []
  }
}

const toEntry = (key: string, entry: unknown): RegistryEntry | undefined => {
  if (!isRecord(entry) || (entry['type'] ?? 'command') !== 'command') return undefined
  const claim = readClaim(key.split(' '))
  const id = parsePluginName(claim?.join('-') ?? '')
  const name = parsePackageName(textIn(entry, 'package') ?? '')
  const [version, integrity] = [textIn(entry, 'version'), textIn(entry, 'integrity')]
  if (claim === undefined || id === undefined || name === undefined) return undefined
  if (version === undefined || !/^\d+\.\d+\.\d+/.test(version)) return undefined
  if (integrity === undefined || !integrity.startsWith('sha512-')) return undefined
  const shipped = textIn(entry, 'tarball')
  return {
    claim,
    id,
    description: textIn(entry, 'description') ?? '',
    official: entry['official'] === true,
    package: name,
    version,
    integrity,
    shipped: shipped !== undefined && /^[A-Za-z0-9][A-Za-z0-9._-]*\.tgz$/.test(shipped) ? shipped : undefined,
  }
}

const builtInUrl = 'https://jp.computer/plugins.json'
const refreshEveryMs = 24 * 60 * 60 * 1000
const refreshMs = 2000

/** What a refresh stands on. */
export type RefreshPlace = {
  readonly environment: HostEnvironment
  readonly dataDirectory: string
  readonly nowMs: number
}

/** True when the user forbade to fetch the registry and official plugins. */
export const forbidsDownload = (environment: HostEnvironment): boolean =>
  ['1', 'true'].includes(variable(environment, 'JP_NO_PLUGIN_DOWNLOAD') ?? '')

/**
 * Fetches the registry when it was not tried for a day, for two seconds at most. The address is ours or
 * `JP_PLUGIN_REGISTRY_URL`, never from a configuration file. What fails leaves what there was; it is tried again
 * tomorrow.
 */
export const refreshOfficialRegistry = async ({environment, dataDirectory, nowMs}: RefreshPlace): Promise<void> => {
  const file = cachedFile(dataDirectory)
  if (forbidsDownload(environment) || nowMs - triedAtMs(file) < refreshEveryMs) return
  const url = variable(environment, 'JP_PLUGIN_REGISTRY_URL') ?? builtInUrl
  const text = (await fetchText(url, environment)) ?? readOrNothing(file)
  try {
    makeDirectory(dataDirectory, 'user')
    writeAtomic(file, text === '' ? '{"version": 1, "plugins": {}}\n' : text, 'user')
  } catch {
    // Nothing is remembered; the next run tries again.
  }
}

/** When the registry was fetched last, or tried to. Unit: milliseconds since the Unix epoch. */
const triedAtMs = (file: string): number => {
  try {
    return statSync(file).mtimeMs
  } catch {
    return 0
  }
}

const fetchText = async (url: string, environment: HostEnvironment): Promise<string | undefined> => {
  try {
    if (!/^https:|^http:\/\/(?:127\.|localhost|\[::1\])/.test(url)) return undefined
    await honourProxies(environment)
    const response = await fetch(url, {signal: AbortSignal.timeout(refreshMs)})
    const text = response.ok ? await response.text() : ''
    return parseRegistry(text).length > 0 && text.length < maxRegistryBytes ? text : undefined
  } catch {
    return undefined
  }
}
