import {JpError} from '../../errors/jp-error.js'
import {rfc3339} from '../../platform/clock.js'
import {canonicalIfPresent} from '../../platform/contained-path.js'
import {unreachableClaim} from '../builtins.js'
import {type Manifest, manifestInvalid} from '../manifest.js'
import {pluginsOf, readNow} from '../packages.js'
import {manifestOf, type PackageOrigin, type Plugin, placeOf} from '../plugin.js'
import {type InstallDeps, storeOf} from './install-package.js'
import type {PackageFacts} from './package-facts.js'
import type {InstalledPackage} from './package-index.js'

/** A folder that is about to be linked. */
export type LinkPlan = {
  readonly package: string
  readonly version: string
  readonly root: string
  readonly plugins: readonly {readonly name: string; readonly manifest: Manifest}[]
  readonly hosted: 'entry' | 'runner'
}

/**
 * Links a folder for development: what lies in it runs from now on, whatever it becomes, without being asked about again
 * (P15). Nothing of it is loaded here, and nothing is installed in it.
 * @param agree lets the user agree, or throws.
 * @throws JpError `file_not_found`, `plugin_manifest_invalid`, `plugin_claim_taken`, `plugin_clash`, what `agree` throws.
 */
export const linkPackage = async (
  deps: InstallDeps,
  folder: string,
  agree: (plan: LinkPlan) => Promise<void>,
): Promise<LinkPlan> => {
  const root = canonicalIfPresent(folder)
  if (root === undefined) throw new JpError('file_not_found', `There is no folder ${folder}.`)
  const facts = readNow(root)
  if ('reason' in facts) throw manifestInvalid(root, facts.reason.replace(/\.$/, ''))
  const plugins = pluginsOf(facts, originOf(root, facts))
  for (const plugin of plugins) refuseUnreachable(deps, plugin, facts)
  const plan: LinkPlan = {
    package: facts.npmName,
    version: facts.version,
    root,
    plugins: plugins.flatMap((plugin) => {
      const manifest = manifestOf(plugin)
      return manifest === undefined ? [] : [{name: plugin.name, manifest}]
    }),
    hosted: facts.entry === undefined ? 'runner' : 'entry',
  }
  await agree(plan)
  await record(deps, facts, {root, plugins})
  return plan
}

type Linked = {readonly root: string; readonly plugins: readonly Plugin[]}

const record = (deps: InstallDeps, facts: PackageFacts, {root, plugins}: Linked): Promise<void> => {
  const store = storeOf(deps)
  const entry: InstalledPackage = {
    name: facts.npmName,
    version: facts.version,
    place: {kind: 'linked', root},
    source: {kind: 'folder', path: root},
    isOfficial: false,
    installedAt: rfc3339(deps.clock.nowMs()),
  }
  return store.alone(async () => {
    await store.record((installed) => [...installed.filter(({name}) => name !== entry.name), entry])
    for (const {name, facts: known} of plugins) {
      const manifest = known.state === 'valid' ? known.manifest : undefined
      await deps.approvals.approve(name, {path: root, sha256: '', manifest, isDevelopment: true})
    }
  })
}

const originOf = (root: string, {npmName, version}: PackageFacts): PackageOrigin => ({
  kind: 'package',
  path: root,
  tree: root,
  npmName,
  version,
  isLinked: true,
  placed: undefined,
  isOfficial: false,
})

const refuseUnreachable = (deps: InstallDeps, plugin: Plugin, {npmName}: PackageFacts): void => {
  const claim = manifestOf(plugin)?.command ?? []
  const blocked = unreachableClaim(claim, deps.builtIns)
  if (blocked !== undefined) {
    throw new JpError('plugin_claim_taken', `${npmName} can't be linked: ${blocked}, and built-in commands win.`)
  }
  const rival = deps
    .find()
    .filter(({origin}) => origin.kind !== 'package' || (origin.npmName !== npmName && !origin.isOfficial))
    .find((other) => other.name === plugin.name || manifestOf(other)?.command.join(' ') === claim.join(' '))
  if (rival !== undefined)
    throw new JpError('plugin_clash', `${npmName} claims "jp ${claim.join(' ')}", and so does ${placeOf(rival)}.`)
}
