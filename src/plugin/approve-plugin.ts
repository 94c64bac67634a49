import {JpError} from '../errors/jp-error.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import type {PluginName} from '../platform/id-grammar.js'
import {refuseUnusable} from './admit.js'
import type {ApprovalStore} from './approvals.js'
import {type BuiltIns, unreachableClaim} from './builtins.js'
import type {PluginProgram} from './host/start-plugin.js'
import type {Manifest} from './manifest.js'
import {namePlugin} from './name-plugin.js'
import type {Plugin} from './plugin.js'
import {type TakenPlugin, takePlugin} from './take-plugin.js'

/** What was approved. */
export type ApprovedPlugin = {
  readonly name: PluginName
  readonly path: string
  readonly sha256: string
  readonly manifest: Manifest
}

/** What approving stands on. */
export type ApproveDeps = {
  readonly approvals: ApprovalStore
  readonly environment: HostEnvironment
  readonly cacheDirectory: string
  readonly nowMs: number
  readonly builtIns: BuiltIns
  /** Every plugin that can be found; asked for a name only. */
  find(): readonly Plugin[]
  /** Asks a file without a manifest what it is. */
  describe(plugin: PluginProgram): Promise<Manifest>
  /** Called before `describe` runs something. */
  onRun(path: string): void
}

/**
 * Approves a plugin by its path or name, without asking anything (P10). With a readable manifest nothing of it runs;
 * without one it is run to describe itself, and `onRun` is called first.
 * @throws JpError `plugin_not_found`, `plugin_clash`, `plugin_manifest_invalid`, `plugin_too_new`, `plugin_claim_taken`,
 * `approvals_unreadable`, `plugin_misbehaved`.
 */
export const approvePlugin = async (deps: ApproveDeps, target: string): Promise<ApprovedPlugin> => {
  const named = namePlugin({cwd: deps.environment.cwd, find: () => deps.find()}, target)
  const {name, origin} = named
  if (origin.kind === 'package' && origin.isLinked) {
    throw new JpError('usage', `${name} is linked from ${origin.path}: its folder is approved, not its bytes.`, {
      hint: `On a terminal: jp plugins link ${origin.path}`,
    })
  }
  const {cacheDirectory, nowMs, environment} = deps
  const taken = takePlugin(named, {cacheDirectory, pid: environment.pid, nowMs, sha1: false})
  try {
    const manifest = await manifestFor(deps, name, taken)
    const blocked = unreachableClaim(manifest.command, deps.builtIns)
    if (blocked !== undefined) {
      throw new JpError('plugin_claim_taken', `${taken.path} can't be approved: ${blocked}, and built-in commands win.`)
    }
    const approved = {name, path: taken.path, sha256: taken.sha256, manifest}
    await deps.approvals.approve(name, approved)
    return approved
  } finally {
    taken.discard()
  }
}

const manifestFor = async (deps: ApproveDeps, name: PluginName, taken: TakenPlugin): Promise<Manifest> => {
  if (taken.reading.state === 'valid') {
    refuseUnusable({name, origin: {kind: 'executable', path: taken.path}, facts: taken.reading})
    return taken.reading.manifest
  }
  if (taken.reading.state !== 'absent') {
    refuseUnusable({name, origin: {kind: 'executable', path: taken.path}, facts: taken.reading})
  }
  deps.onRun(taken.path)
  const {environment} = deps
  return deps.describe({name, program: taken.keep(), cwd: environment.cwd})
}
