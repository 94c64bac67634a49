import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {sha256OfFile} from '../platform/file-digest.js'
import type {Approvals} from './approvals.js'
import {type BuiltIns, unreachableClaim} from './builtins.js'
import type {WorkspaceScope} from './manifest.js'
import {namePlugin} from './name-plugin.js'
import {manifestOf, type Plugin, placeOf} from './plugin.js'

/** One plugin as `jp plugins list` prints it. The shape is a contract (Q3). */
export type ListedPlugin = {
  readonly name: string
  readonly command: readonly string[] | null
  readonly scope: WorkspaceScope | null
  readonly protocol: number | null
  readonly description: string | null
  readonly source: 'executable'
  readonly path: string
  readonly approval: 'approved' | 'changed' | 'elsewhere' | 'none'
  /** Why it can't be run, or null. */
  readonly problem: string | null
}

/** What can be told of every plugin without running any (P9). */
export const listPlugins = (
  plugins: readonly Plugin[],
  approvals: Approvals,
  builtIns: BuiltIns,
): readonly ListedPlugin[] =>
  plugins
    .map((plugin) => {
      const manifest = manifestOf(plugin)
      return {
        name: plugin.name,
        command: manifest?.command ?? null,
        scope: manifest?.scope ?? null,
        protocol: manifest?.protocol ?? null,
        description: manifest?.description ?? null,
        source: plugin.origin.kind,
        path: placeOf(plugin),
        approval: approvalOf(plugin, approvals),
        problem: problemOf(plugin, plugins, builtIns),
      }
    })
    .sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))

/** One plugin as `jp plugins inspect` prints it. The shape is a contract (Q3). */
export type InspectedPlugin = ListedPlugin & {
  /** Of the file as it is now; null when it can't be read. */
  readonly sha256: string | null
}

/** What a plugin is looked up in. */
export type PluginShelf = {
  readonly plugins: readonly Plugin[]
  readonly approvals: Approvals
  readonly builtIns: BuiltIns
}

/**
 * What is known of one plugin. Nothing of it runs.
 * @throws JpError `plugin_not_found`, `plugin_clash`.
 */
export const inspectPlugin = ({plugins, approvals, builtIns}: PluginShelf, name: string): InspectedPlugin => {
  const {path} = namePlugin({cwd: '/', find: () => plugins}, name)
  const listed = listPlugins(plugins, approvals, builtIns).find((plugin) => plugin.path === path)
  if (listed === undefined) throw new JpError('plugin_not_found', `There is no plugin "${name}".`)
  return {...listed, sha256: sha256OfFile(path) ?? null}
}

const approvalOf = (plugin: Plugin, approvals: Approvals): ListedPlugin['approval'] => {
  const approval = approvals.byName.get(plugin.name)
  if (approval === undefined) return 'none'
  const path = canonicalIfPresent(placeOf(plugin))
  if (path !== approval.path) return 'elsewhere'
  return sha256OfFile(path) === approval.sha256 ? 'approved' : 'changed'
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
      other !== plugin && (other.name === plugin.name || manifestOf(other)?.command.join(' ') === claim.join(' ')),
  )
  return rival === undefined ? null : `It clashes with ${placeOf(rival)}.`
}
