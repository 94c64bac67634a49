import {join} from 'node:path'
import {canonicalIfPresent} from '../platform/contained-path.js'
import type {PluginName} from '../platform/id-grammar.js'
import type {FixOutcome, Problem} from '../platform/problem.js'
import type {ApprovalStore} from './approvals.js'
import {isCorrupt} from './install/package-index.js'
import {createPackageStore, type PackageStoreDeps, packagesFolder} from './install/package-store.js'
import {type ListedPlugin, listPlugins, type PluginShelf} from './list-plugins.js'

/** What plugins are held against. */
export type PluginScene = Omit<PluginShelf, 'approvals'> & {
  readonly approvals: ApprovalStore
  readonly packages: PackageStoreDeps
}

/**
 * What is wrong with the plugins of this machine: bytes that are not those that were approved or installed, manifests
 * that can't be read, claims that clash, approvals of what is gone. Nothing of a plugin runs, and nothing is written.
 */
export const diagnosePlugins = (scene: PluginScene): readonly Problem[] => {
  const approvals = scene.approvals.read()
  const listed = listPlugins({...scene, approvals})
  const gone = [...approvals.byName].filter(([, {path}]) => canonicalIfPresent(path) === undefined)
  return [
    ...(approvals.unreadable === undefined ? [] : [unreadableApprovals(scene.approvals.path, approvals.unreadable)]),
    ...packageIndex(scene.packages),
    ...listed.flatMap(problemsOf),
    ...gone.map(([name, {path}]) => goneApproval(scene.approvals, name as PluginName, path)),
  ]
}

const unreadableApprovals = (path: string, reason: string): Problem => ({
  code: 'approvals_unreadable',
  gravity: 'damage',
  path,
  reason,
  advice: `look at it, then start anew: mv ${path} ${path}.old`,
})

const packageIndex = (deps: PackageStoreDeps): readonly Problem[] => {
  const path = join(packagesFolder(deps.dataDirectory), 'index.json')
  if (!isCorrupt(path)) return []
  return [
    {
      code: 'plugin_store_corrupt',
      gravity: 'damage',
      path,
      reason: 'it does not parse, so nobody knows which packages are installed',
      advice: 'set the file aside; then install the packages again: jp plugins install NAME',
      async fix(): Promise<FixOutcome> {
        await createPackageStore(deps).repair()
        return 'fixed'
      },
    },
  ]
}

const problemsOf = (plugin: ListedPlugin): readonly Problem[] => {
  const {name, path, problem} = plugin
  const about = {gravity: 'fault', id: name, path} as const
  const state = approvalProblem(plugin)
  return [
    ...(problem === null
      ? []
      : [{...about, code: 'plugin_unusable', reason: problem, advice: `see it: jp plugins inspect ${name}`}]),
    ...(state === undefined ? [] : [{...about, ...state}]),
  ]
}

/** Whether what lies there is what was approved, or what was installed (P13). */
const approvalProblem = ({name, path, approval, source, package: npmName}: ListedPlugin) => {
  if (approval === 'elsewhere')
    return {
      code: 'plugin_elsewhere',
      reason: 'the approval is for another path',
      advice: `approve this one: jp plugins approve ${path}`,
    }
  if (approval !== 'changed') return undefined
  const again = source === 'package' ? `jp plugins install ${npmName}` : `jp plugins approve ${path}`
  return {
    code: 'plugin_changed',
    reason: 'its bytes are not those that were approved; it is not run',
    advice: `if you know why: ${again}. If not: jp plugins revoke ${name}`,
  }
}

const goneApproval = (store: ApprovalStore, name: PluginName, path: string): Problem => ({
  code: 'stale_approval',
  gravity: 'note',
  id: name,
  path,
  reason: 'it was approved, and is gone',
  advice: 'take the approval back',
  async fix(): Promise<FixOutcome> {
    await store.revoke(name)
    return 'fixed'
  },
})
