import type {InstallDeps, InstallRequest} from './install-package.js'
import {type RegistryEntry, readOfficialRegistry, refreshOfficialRegistry, sourceOfEntry} from './official-registry.js'
import {parseSource} from './source.js'

/** What a spec means: its source, and the integrity that the official registry wants for it. */
export type FoundSource = Pick<InstallRequest, 'source' | 'official' | 'promised'>

/**
 * What a user means by a spec (P15): a plugin of the registry by its name or command, else what `parseSource` makes of it.
 * The registry is asked only for a word that could be one.
 * @throws JpError as `parseSource`.
 */
export const findSource = async (deps: InstallDeps, spec: string): Promise<FoundSource> => {
  const {environment, directories, clock} = deps
  if (/^[A-Za-z0-9][A-Za-z0-9 -]*$/.test(spec)) {
    const place = {dataDirectory: directories.data}
    const entry =
      findEntry(readOfficialRegistry(place), spec) ??
      (await refreshOfficialRegistry({environment, ...place, nowMs: clock.nowMs()}),
      findEntry(readOfficialRegistry(place), spec))
    if (entry !== undefined) return sourceOf(entry)
  }
  return {source: parseSource(spec, environment), official: undefined}
}

/** The source of a registry entry; only an official one is trusted by its integrity. */
export const sourceOf = (entry: RegistryEntry): FoundSource => ({
  source: sourceOfEntry(entry),
  promised: entry.integrity,
  official: entry.official ? {integrity: entry.integrity, claim: entry.claim} : undefined,
})

const findEntry = (entries: readonly RegistryEntry[], spec: string): RegistryEntry | undefined =>
  entries.find(({id, claim}) => id === spec || claim.join(' ') === spec)
