import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {type Approvals, approvedAt} from './approvals.js'
import {type BuiltIns, unreachableClaim} from './builtins.js'
import {type ChecksumPlace, checksumOf} from './checksum.js'
import type {WorkspaceScope} from './manifest.js'
import {namePlugin} from './name-plugin.js'
import {dependenciesOf} from './package-dependencies.js'
import {npmNameIn, readNow} from './packages.js'
import {isOfficial, manifestOf, type PackageOrigin, type Plugin, placeOf} from './plugin.js'

/** One plugin as `jp plugins list` prints it. The shape is a contract (Q3). */
export type ListedPlugin = {
  readonly name: string
  readonly command: readonly string[] | null
  readonly scope: WorkspaceScope | null
  readonly protocol: number | null
  readonly description: string | null
  readonly source: 'executable' | 'package'
  /** The npm name and version; null for an executable. */
  readonly package: string | null
  readonly version: string | null
  readonly path: string
  /** `dev`: a linked folder, approved as a place. `official`: of our registry, which needs no approval. */
  readonly approval: 'approved' | 'official' | 'dev' | 'changed' | 'elsewhere' | 'none'
  /** Why it can't be run, or null. */
  readonly problem: string | null
}

/** What can be told of every plugin without running any (P9). */
export const listPlugins = (shelf: PluginShelf): readonly ListedPlugin[] =>
  shelf.plugins
    .map((plugin) => {
      const manifest = manifestOf(plugin)
      return {
        name: plugin.name,
        command: manifest?.command ?? null,
        scope: manifest?.scope ?? null,
        protocol: manifest?.protocol ?? null,
        description: manifest?.description ?? null,
        source: plugin.origin.kind,
        package: plugin.origin.kind === 'package' ? plugin.origin.npmName : null,
        version: plugin.origin.kind === 'package' ? plugin.origin.version : null,
        path: placeOf(plugin),
        approval: approvalOf(plugin, shelf),
        problem: problemOf(plugin, shelf.plugins, shelf.builtIns),
      }
    })
    .sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))

/** One plugin as `jp plugins inspect` prints it. The shape is a contract (Q3). */
export type InspectedPlugin = ListedPlugin & {
  /** Of the file, or of the tree of the package, as it is now; null when it can't be read or is linked. */
  readonly sha256: string | null
  /** Of the tarball: `sha512-…`; null for an executable and for a linked folder. */
  readonly integrity: string | null
  /** What a package would start; null for an executable. */
  readonly hosted: 'entry' | 'runner' | null
  /** The direct dependencies that a package has, by name; null for an executable. */
  readonly deps: Readonly<
    Record<string, {readonly from: string; readonly version: string; readonly path: string}>
  > | null
}

/** What a plugin is looked up in. */
export type PluginShelf = {
  readonly plugins: readonly Plugin[]
  readonly approvals: Approvals
  readonly builtIns: BuiltIns
  readonly checksums: ChecksumPlace
}

/**
 * What is known of one plugin. Nothing of it runs.
 * @throws JpError `plugin_not_found`, `plugin_clash`.
 */
export const inspectPlugin = (
  shelf: PluginShelf & {
    /** Where `.` is. */
    readonly cwd: string
  },
  target: string,
): InspectedPlugin => {
  const name = target === '.' ? (npmNameIn(shelf.cwd) ?? target) : target
  const {name: found, origin} = namePlugin({cwd: '/', find: () => shelf.plugins}, name)
  const listed = listPlugins(shelf).find((plugin) => plugin.path === origin.path && plugin.name === found)
  if (listed === undefined) throw new JpError('plugin_not_found', `There is no plugin "${name}".`)
  return {
    ...listed,
    sha256: checksumOf(origin, shelf.checksums) ?? null,
    integrity: origin.kind === 'package' ? (origin.placed?.integrity ?? null) : null,
    hosted: origin.kind === 'package' ? hostOf(origin.path) : null,
    deps: origin.kind === 'package' ? depsOf(origin) : null,
  }
}

const depsOf = ({path, tree}: PackageOrigin): InspectedPlugin['deps'] =>
  Object.fromEntries(dependenciesOf(path, tree).map(({name, ...rest}) => [name, rest]))

const hostOf = (root: string): InspectedPlugin['hosted'] => {
  const facts = readNow(root)
  if ('reason' in facts) return null
  return facts.entry === undefined ? 'runner' : 'entry'
}

const approvalOf = (plugin: Plugin, {approvals, checksums}: PluginShelf): ListedPlugin['approval'] => {
  const {origin} = plugin
  const approval = approvals.byName.get(plugin.name)
  const isPackage = origin.kind === 'package'
  if (isPackage && origin.isLinked) return approval?.isDevelopment === true ? 'dev' : 'none'
  if (approval === undefined) {
    if (!isOfficial(plugin) || !isPackage) return 'none'
    return checksumOf(origin, checksums) === origin.placed?.sha256 ? 'official' : 'changed'
  }
  const path = canonicalIfPresent(placeOf(plugin))
  const of = approvedAt(approval, path)
  if (path !== of.path) return 'elsewhere'
  return checksumOf(origin, checksums) === of.sha256 ? 'approved' : 'changed'
}

const problemOf = (plugin: Plugin, plugins: readonly Plugin[], builtIns: BuiltIns): string | null => {
  const {facts} = plugin
  if (facts.state === 'invalid') return facts.reason
  if (facts.state === 'foreign') return `It was built for another jp: its manifest is of version ${facts.version}.`
  if (facts.state === 'absent') return `It has no manifest. To ask it what it is: jp plugins approve ${placeOf(plugin)}`
  const claim = facts.manifest.command
  const blocked = unreachableClaim(claim, builtIns)
  if (blocked !== undefined) return `It never runs: ${blocked}, and built-in commands win.`
  const rival = plugins.find(
    (other) =>
      other !== plugin &&
      isOfficial(other) === isOfficial(plugin) &&
      (other.name === plugin.name || manifestOf(other)?.command.join(' ') === claim.join(' ')),
  )
  return rival === undefined ? null : `It clashes with ${placeOf(rival)}.`
}
