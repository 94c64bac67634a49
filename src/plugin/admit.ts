import {hasCode, JpError} from '../errors/jp-error.js'
import {
  type AdmissionCase,
  type AskReason,
  approvalRequired,
  decideAdmission,
  manifestMissing,
  type PluginPolicy,
  tooNew,
} from './admission.js'
import type {ApprovalStore, Approvals} from './approvals.js'
import {readOfficialRegistry} from './install/official-registry.js'
import {hostProtocol, type Manifest, sameManifest} from './manifest.js'
import {manifestOf, type Plugin, placeOf} from './plugin.js'
import {pruneCopies} from './private-copy.js'
import type {Program} from './program.js'
import {type TakenPlugin, takePlugin} from './take-plugin.js'

/** A plugin that may run, once. */
export type AdmittedPlugin = {
  readonly plugin: Plugin
  readonly manifest: Manifest
  /** What to start: the bytes that were admitted. */
  readonly program: Program
}

/** What the prompt shows (P11). */
export type ApprovalQuestion = {
  readonly name: string
  readonly manifest: Manifest
  readonly path: string
  readonly sha256: string
  readonly reason: AskReason
  /** Where it was approved, when it was approved elsewhere. */
  readonly approvedPath: string | undefined
  /** The official plugin that it takes the place of (P6). */
  readonly replaces: string | undefined
}

/** What admission stands on. */
export type AdmitDeps = {
  readonly approvals: ApprovalStore
  readonly cacheDirectory: string
  /** Where the official registry is kept. */
  readonly dataDirectory: string
  /** The official plugin that it takes the place of (P6). */
  readonly replaces: string | undefined
  readonly pid: number
  readonly nowMs: number
  /** Asks on the terminal; undefined where nobody can be asked. */
  readonly ask: ((question: ApprovalQuestion) => Promise<'once' | 'remember' | 'no'>) | undefined
  warn(text: string): void
}

/**
 * Admits a plugin under a policy: takes its bytes, decides, asks when it must, and puts the private copy in place that is
 * to be run (P10, P30). Nothing of the plugin runs here.
 * @throws JpError `plugin_too_new`, `plugin_denied`, `plugin_checksum_mismatch`, `plugin_approval_required`,
 * `plugin_manifest_missing`, `plugin_manifest_invalid`, `plugin_changed`.
 */
export const admitPlugin = async (deps: AdmitDeps, plugin: Plugin, policy: PluginPolicy): Promise<AdmittedPlugin> => {
  refuseUnusable(plugin)
  const taken = takePlugin(plugin, {
    cacheDirectory: deps.cacheDirectory,
    pid: deps.pid,
    nowMs: deps.nowMs,
    sha1: policy.checksum?.algorithm === 'sha1',
  })
  try {
    const approvals = deps.approvals.read()
    const manifest = manifestOfBytes(plugin, taken, approvals)
    const isOfficial = isOfficialUnchanged(deps, plugin, taken)
    const facts = {...factsOf(plugin, taken, approvals), manifest, policy, isOfficial}
    const verdict = decideAdmission(facts)
    if (verdict.kind === 'refuse') throw verdict.error
    if (manifest === undefined) throw manifestMissing(taken.path)
    if (verdict.kind === 'ask') {
      if (approvals.unreadable !== undefined) deps.warn(approvals.unreadable)
      await askUser(deps, facts, {manifest, reason: verdict.reason})
    }
    pruneCopies(deps.cacheDirectory, deps.nowMs)
    return {plugin, manifest, program: taken.keep()}
  } finally {
    taken.discard()
  }
}

/** A plugin whose manifest can't be used is refused before anything is opened for it (S5). */
export const refuseUnusable = (plugin: Plugin): void => {
  const {facts} = plugin
  if (facts.state === 'absent') throw manifestMissing(placeOf(plugin))
  if (facts.state === 'invalid') throw new JpError('plugin_manifest_invalid', facts.reason)
  if (facts.state === 'foreign') {
    throw new JpError(
      'plugin_too_new',
      `${placeOf(plugin)} was built for another jp: its manifest is of version ${facts.version}.`,
      {
        hint: 'Update jp, or install a version of the plugin for this one.',
      },
    )
  }
  if (facts.manifest.protocol > hostProtocol) throw tooNew(plugin.name, facts.manifest.protocol)
}

/** An official package as the registry has it, with the tree that was placed (P10). */
const isOfficialUnchanged = (
  {dataDirectory}: AdmitDeps,
  {origin}: Plugin,
  {sha256}: Pick<TakenPlugin, 'sha256'>,
): boolean => {
  if (origin.kind !== 'package' || !origin.isOfficial || origin.placed?.sha256 !== sha256) return false
  const {integrity} = origin.placed
  return readOfficialRegistry({dataDirectory}).some(
    (entry) => entry.official && entry.package === origin.npmName && entry.integrity === integrity,
  )
}

const factsOf = (plugin: Plugin, taken: TakenPlugin, approvals: Approvals) => ({
  name: plugin.name,
  path: taken.path,
  sha256: taken.sha256,
  sha1: taken.sha1,
  isLinked: plugin.origin.kind === 'package' && plugin.origin.isLinked,
  isPackage: plugin.origin.kind === 'package',
  approval: approvals.byName.get(plugin.name),
})

/**
 * The manifest of the bytes that were taken. It must be the one that the command was routed by: the scope decides what
 * has been opened by now (P5).
 */
const manifestOfBytes = (plugin: Plugin, taken: TakenPlugin, approvals: Approvals): Manifest | undefined => {
  const routed = manifestOf(plugin)
  if (taken.reading.state === 'absent' && plugin.facts.state === 'recorded') {
    const approval = approvals.byName.get(plugin.name)
    return approval?.path === taken.path && approval.sha256 === taken.sha256 ? routed : undefined
  }
  if (taken.reading.state === 'valid' && routed !== undefined && sameManifest(taken.reading.manifest, routed))
    return routed
  throw new JpError('plugin_changed', `${placeOf(plugin)} changed while it was being started; it was not run.`, {
    hint: 'Run the command again.',
  })
}

const askUser = async (
  deps: AdmitDeps,
  facts: AdmissionCase,
  {manifest, reason}: {manifest: Manifest; reason: AskReason},
): Promise<void> => {
  if (deps.ask === undefined || facts.isLinked) throw approvalRequired(facts, reason)
  const {name, path, sha256} = facts
  const {replaces} = deps
  const answer = await deps.ask({name, manifest, path, sha256, reason, approvedPath: facts.approval?.path, replaces})
  if (answer === 'no') throw new JpError('plugin_denied', `The plugin "${name}" was not run: you said no.`)
  if (answer === 'once') return
  try {
    await deps.approvals.approve(name, {path, sha256, manifest})
  } catch (error) {
    if (!hasCode(error, 'approvals_unreadable', 'disk_full', 'file_unwritable', 'state_busy')) throw error
    deps.warn(`The approval was not remembered. ${error.message}`)
  }
}
