import {chmodSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {type Clock, rfc3339} from '../../platform/clock.js'
import {canonicalIfPresent} from '../../platform/contained-path.js'
import type {UserDirectories} from '../../platform/directories.js'
import {type PluginName, parsePluginName} from '../../platform/id-grammar.js'
import type {ApprovalStore} from '../approvals.js'
import type {BuiltIns} from '../builtins.js'
import type {Manifest} from '../manifest.js'
import type {Plugin} from '../plugin.js'
import {checkPackage, integrityOf} from './check-package.js'
import {fetchPackage, shownSource} from './fetch-package.js'
import type {ToolPlace} from './npm.js'
import type {InstalledPackage} from './package-index.js'
import {createPackageStore, type PackageStore, rootOf} from './package-store.js'
import type {PackageSource} from './source.js'
import {inStaging} from './staging.js'
import {openTreeHashes} from './tree-hash.js'
import {type CheckedPackage, unpackPackage} from './unpack.js'
import {type ApprovablePlugin, whileApproved} from './while-approved.js'

/** What an installation stands on. */
export type InstallDeps = ToolPlace & {
  readonly directories: UserDirectories
  readonly clock: Clock
  readonly approvals: ApprovalStore
  readonly builtIns: BuiltIns
  /** Every plugin that there is now. */
  find(): readonly Plugin[]
  /** Does one part of the work and shows that it is being done. */
  step<Result>(title: string, work: () => Promise<Result>): Promise<Result>
}

/** What is about to be installed: all that the user decides by (P15). */
export type InstallPlan = {
  readonly package: string
  readonly version: string
  /** The version that it takes the place of. */
  readonly replaces: string | undefined
  readonly source: string
  readonly integrity: string
  readonly plugins: readonly ApprovablePlugin[]
  /** Lifecycle scripts that will not run. */
  readonly scripts: readonly string[]
  readonly deprecated: string | undefined
  readonly hosted: 'entry' | 'runner'
}

/** How one package is to be installed. */
export type InstallRequest = {
  readonly source: PackageSource
  /** What the official registry wants; undefined for what is no official plugin. */
  readonly official: {readonly integrity: string; readonly claim: readonly string[] | undefined} | undefined
  /** The integrity that the registry of jp promises for a third party's package. */
  readonly promised?: string
  /** Agrees to the plan, or throws. */
  agree(plan: InstallPlan): Promise<void>
}

/** What was installed. */
export type Installed = {readonly plan: InstallPlan; readonly path: string; readonly tree: string}

/** The store of packages of an installation. */
export const storeOf = ({directories, clock, environment}: InstallDeps): PackageStore =>
  createPackageStore({dataDirectory: directories.data, clock, pid: environment.pid})

/**
 * Installs a package: fetches it, reads it from its bytes, lets the user agree, lays it out beside the others, approves it
 * and puts it in place by one write of the index (P15, P16). No code of it and no script runs. Whatever goes wrong, what
 * was installed before works on.
 * @throws JpError as `fetchPackage`, `checkPackage` and `unpackPackage`; what `agree` throws; `state_busy`.
 */
export const installPackage = async (deps: InstallDeps, request: InstallRequest): Promise<Installed> => {
  const store = storeOf(deps)
  await store.repair()
  await store.sweep()
  return inStaging({folder: store.folder, pid: deps.environment.pid}, async (staging) => {
    const {checked, fetched} = await deps.step('Fetch the package', async () => {
      const got = await fetchPackage(request.source, staging, deps)
      const promised = request.official?.integrity ?? request.promised ?? got.promised
      return {fetched: got, checked: check(deps, request, {...got, promised})}
    })
    const plan = planOf(request.source, checked, {
      commit: fetched.commit,
      deprecated: fetched.deprecated,
      installed: store.list(),
    })
    await request.agree(plan)
    return deps.step('Put it in place', async () => place(deps, request, {checked, plan}))
  })
}

const check = (
  deps: InstallDeps,
  {source, official}: InstallRequest,
  fetched: Parameters<typeof checkPackage>[0],
): CheckedPackage => {
  const checked = checkPackage(fetched, shownSource(source, undefined), {
    builtIns: deps.builtIns,
    environment: deps.environment,
    plugins: deps.find(),
    isOfficial: official !== undefined,
  })
  const wanted = official?.claim?.join(' ')
  if (wanted === undefined || checked.facts.manifests.some(({command}) => command.join(' ') === wanted)) return checked
  throw new JpError(
    'plugin_manifest_invalid',
    `The official plugin ${checked.facts.npmName} does not claim "jp ${wanted}".`,
  )
}

type Circumstances = {
  readonly commit: string | undefined
  readonly deprecated: string | undefined
  readonly installed: readonly InstalledPackage[]
}

const planOf = (
  source: PackageSource,
  {facts, tarball}: CheckedPackage,
  circumstances: Circumstances,
): InstallPlan => ({
  package: facts.npmName,
  version: facts.version,
  replaces: circumstances.installed.find(({name}) => name === facts.npmName)?.version,
  source: shownSource(source, circumstances.commit),
  integrity: integrityOf(tarball),
  plugins: facts.manifests.map((manifest) => ({name: nameOf(manifest), manifest})),
  scripts: facts.scripts,
  deprecated: circumstances.deprecated,
  hosted: facts.entry === undefined ? 'runner' : 'entry',
})

const nameOf = (manifest: Manifest): PluginName => {
  const name = parsePluginName(manifest.command.join('-'))
  if (name === undefined) throw new JpError('internal', 'A claim was checked that makes no name.')
  return name
}

type Placing = {readonly checked: CheckedPackage; readonly plan: InstallPlan}

const place = async (deps: InstallDeps, request: InstallRequest, placing: Placing): Promise<Installed> => {
  const {checked, plan} = placing
  const {environment, signal, directories, clock} = deps
  const store = storeOf(deps)
  return inStaging({folder: store.folder, pid: environment.pid}, async (folder) => {
    await unpackPackage(checked, folder, deps)
    chmodSync(folder, 0o700)
    const tree = openTreeHashes({cacheDirectory: directories.cache, nowMs: clock.nowMs()}).hash(folder)
    if (signal.aborted) throw new JpError('interrupted', 'Cancelled: nothing was installed.')
    const {npmName, version} = checked.facts
    const name = store.place(folder, `${npmName.replace('/', '+')}@${version}-${tree.slice(0, 8)}`)
    const entry: InstalledPackage = {
      name: npmName,
      version,
      place: {kind: 'installed', folder: name, integrity: plan.integrity, tree},
      source: request.source,
      isOfficial: request.official !== undefined,
      installedAt: rfc3339(clock.nowMs()),
    }
    const root = rootOf(directories.data, entry)
    const path = canonicalIfPresent(root) ?? root
    const record = (): Promise<void> =>
      store.record((installed) => {
        // Another run may have installed a plugin of this claim meanwhile.
        check(deps, request, {tarball: checked.tarball, promised: undefined, deprecated: undefined, commit: undefined})
        return [...installed.filter((other) => other.name !== npmName), entry]
      })
    try {
      await store.alone(() =>
        request.official === undefined
          ? whileApproved(deps.approvals, plan.plugins, {path, sha256: tree, record})
          : record(),
      )
    } catch (error) {
      rmSync(join(store.folder, name), {recursive: true, force: true})
      throw error
    }
    return {plan, path, tree}
  })
}
