import type {PackageName, PluginName} from '../platform/id-grammar.js'
import type {Manifest} from './manifest.js'
import type {ManifestReading} from './manifest-scan.js'

/** A plugin as it was found, before anything of it ran: an executable, or one claim of a package. One behaviour for both. */
export type Plugin = {
  /** The file name without `jp-`, or the package's claim joined by `-` (P29). */
  readonly name: PluginName
  readonly origin: PluginOrigin
  readonly facts: PluginFacts
}

/** What is known of a plugin. `recorded` is what its approval holds, for a file that says nothing itself (S4). */
export type PluginFacts = ManifestReading | {readonly state: 'recorded'; readonly manifest: Manifest}

/** Where a plugin lies. */
export type PluginOrigin = ExecutableOrigin | PackageOrigin

/** Where an executable lies. */
export type ExecutableOrigin = {
  readonly kind: 'executable'
  /** As it was found: a folder of `$PATH` and a name. May be a symbolic link. */
  readonly path: string
}

/** Where a package lies. */
export type PackageOrigin = {
  readonly kind: 'package'
  /** The folder with its `package.json`. */
  readonly path: string
  /** The folder that is hashed: the package with all it depends on. */
  readonly tree: string
  readonly npmName: PackageName
  readonly version: string
  /** The user's own folder, approved for development (P15). */
  readonly isLinked: boolean
  /** `sha512-…` of the tarball, and the hash of the tree as it was placed; undefined when linked. */
  readonly placed: {readonly integrity: string; readonly sha256: string} | undefined
  /** It came from the official registry. */
  readonly isOfficial: boolean
}

/** Where a plugin of any origin lies, for messages. */
export const placeOf = (plugin: Plugin): string => plugin.origin.path

/** The manifest of a plugin that has a usable one. */
export const manifestOf = (plugin: Plugin): Manifest | undefined =>
  plugin.facts.state === 'valid' || plugin.facts.state === 'recorded' ? plugin.facts.manifest : undefined

/** The claim that a plugin states, or what can be made out of an invalid manifest. */
export const statedClaim = (plugin: Plugin): readonly string[] | undefined => {
  const manifest = manifestOf(plugin)
  if (manifest !== undefined) return manifest.command
  return plugin.facts.state === 'invalid' && plugin.facts.claim.length > 0 ? plugin.facts.claim : undefined
}

/** True for a plugin of the official registry: a third-party one with its claim replaces it (P6). */
export const isOfficial = ({origin}: Plugin): boolean => origin.kind === 'package' && origin.isOfficial
