import {hasCode, JpError} from '../../errors/jp-error.js'
import {checkPackage, integrityOf} from './check-package.js'
import {fetchPackage, shownSource} from './fetch-package.js'
import {findInstalled} from './find-installed.js'
import {sourceOf} from './find-source.js'
import {type InstallDeps, type Installed, type InstallPlan, installPackage, storeOf} from './install-package.js'
import {readOfficialRegistry, refreshOfficialRegistry} from './official-registry.js'
import type {InstalledPackage} from './package-index.js'
import {inStaging} from './staging.js'

/** What came of one package. */
export type Updated =
  | {readonly state: 'updated'; readonly installed: Installed}
  | {readonly state: 'current'; readonly package: string; readonly version: string}
  | {readonly state: 'available'; readonly package: string; readonly version: string; readonly next: string}
  | {readonly state: 'failed'; readonly package: string; readonly error: JpError}

/** How packages are updated. */
export type UpdateRequest = {
  /** As the user named them; none is all. */
  readonly names: readonly string[]
  /** Tell what would change, and change nothing. */
  readonly dryRun: boolean
  agree(plan: InstallPlan): Promise<void>
}

/**
 * Gets packages anew from where they came from, and installs those that changed: a change is agreed to as a new package is.
 * One that fails does not keep the others from being updated. Linked folders are passed over.
 * @throws JpError `plugin_not_found` for a name that is not installed; `interrupted`.
 */
export const updatePackages = async (deps: InstallDeps, request: UpdateRequest): Promise<readonly Updated[]> => {
  const installed = storeOf(deps).list()
  const chosen = request.names.map((name) => findInstalled(deps, name))
  const updated: Updated[] = []
  for (const entry of request.names.length === 0 ? installed : chosen) {
    if (entry.place.kind === 'linked') continue
    updated.push(await updateOne(deps, request, entry))
  }
  return updated
}

const updateOne = async (deps: InstallDeps, request: UpdateRequest, entry: InstalledPackage): Promise<Updated> => {
  try {
    const {source, official} = await sourceFor(deps, entry)
    const next = await peek(deps, entry, source)
    const isSame = entry.place.kind === 'installed' && entry.place.integrity === next.integrity
    if (isSame) return {state: 'current', package: entry.name, version: entry.version}
    if (request.dryRun) return {state: 'available', package: entry.name, version: entry.version, next: next.version}
    return {
      state: 'updated',
      installed: await installPackage(deps, {source, official, agree: (plan) => request.agree(plan)}),
    }
  } catch (error) {
    if (!(error instanceof JpError) || hasCode(error, 'interrupted')) throw error
    return {state: 'failed', package: entry.name, error}
  }
}

/** An official package follows the registry, another one where it came from. */
const sourceFor = async (deps: InstallDeps, entry: InstalledPackage) => {
  if (!entry.isOfficial) return {source: entry.source, official: undefined}
  const {environment, directories, clock} = deps
  const dataDirectory = directories.data
  await refreshOfficialRegistry({environment, dataDirectory, nowMs: clock.nowMs()})
  const known = readOfficialRegistry({dataDirectory}).find((candidate) => candidate.package === entry.name)
  return known === undefined ? {source: entry.source, official: undefined} : sourceOf(known)
}

/** What the source gives now. The registry and git are asked; nothing is installed. */
const peek = async (
  deps: InstallDeps,
  entry: InstalledPackage,
  source: InstalledPackage['source'],
): Promise<{version: string; integrity: string}> => {
  const {environment} = deps
  const store = storeOf(deps)
  return deps.step(`Look for a new version of ${entry.name}`, () =>
    inStaging({folder: store.folder, pid: environment.pid}, async (staging) => {
      const fetched = await fetchPackage(source, staging, deps)
      const {facts} = checkPackage(fetched, shownSource(source, undefined), {
        builtIns: deps.builtIns,
        environment,
        plugins: [],
        isOfficial: entry.isOfficial,
      })
      if (facts.npmName !== entry.name) {
        throw new JpError(
          'plugin_clash',
          `${shownSource(source, undefined)} gives the package ${facts.npmName}, not ${entry.name}.`,
        )
      }
      return {version: facts.version, integrity: integrityOf(fetched.tarball)}
    }),
  )
}
