import type {PluginName} from '../platform/id-grammar.js'
import type {Manifest} from './manifest.js'
import type {ManifestReading} from './manifest-scan.js'

/**
 * A plugin as it was found, before anything of it ran. `executable` is a file `jp-<name>`; a package would be another
 * kind of origin with the same behaviour.
 */
export type Plugin = {
  /** The file name without `jp-` (P29). */
  readonly name: PluginName
  readonly origin: ExecutableOrigin
  readonly facts: PluginFacts
}

/** What is known of a plugin. `recorded` is what its approval holds, for a file that says nothing itself (S4). */
export type PluginFacts = ManifestReading | {readonly state: 'recorded'; readonly manifest: Manifest}

/** Where an executable lies. */
export type ExecutableOrigin = {
  readonly kind: 'executable'
  /** As it was found: a folder of `$PATH` and a name. May be a symbolic link. */
  readonly path: string
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
