import {accessSync, constants} from 'node:fs'
import {basename, resolve} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import {type PluginName, parsePluginName} from '../platform/id-grammar.js'
import {refuseUnusable} from './admit.js'
import type {ApprovalStore} from './approvals.js'
import {type BuiltIns, unreachableClaim} from './builtins.js'
import type {Manifest} from './manifest.js'
import {type Plugin, placeOf} from './plugin.js'
import {type TakenExecutable, takeExecutable} from './private-copy.js'

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
  readonly builtIns: BuiltIns
  /** Every plugin that can be found; asked for a name only. */
  find(): readonly Plugin[]
  /** Asks a file without a manifest what it is. */
  describe(program: {name: string; executable: string; originalPath: string; cwd: string}): Promise<Manifest>
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
  const {name, path} = findTarget(deps, target)
  assertExecutable(path)
  const taken = takeExecutable(path, {cacheDirectory: deps.cacheDirectory, pid: deps.environment.pid, sha1: false})
  try {
    const manifest = await manifestFor(deps, name, taken)
    const blocked = unreachableClaim(manifest.command, deps.builtIns)
    if (blocked !== undefined) {
      throw new JpError('plugin_claim_taken', `${path} can't be approved: ${blocked}, and built-in commands win.`)
    }
    const approved = {name, path: taken.path, sha256: taken.sha256, manifest}
    await deps.approvals.approve(name, approved)
    return approved
  } finally {
    taken.discard()
  }
}

const manifestFor = async (deps: ApproveDeps, name: PluginName, taken: TakenExecutable): Promise<Manifest> => {
  if (taken.reading.state === 'valid') {
    refuseUnusable({name, origin: {kind: 'executable', path: taken.path}, facts: taken.reading})
    return taken.reading.manifest
  }
  if (taken.reading.state !== 'absent') {
    refuseUnusable({name, origin: {kind: 'executable', path: taken.path}, facts: taken.reading})
  }
  deps.onRun(taken.path)
  const {environment} = deps
  return deps.describe({name, executable: taken.keep(), originalPath: taken.path, cwd: environment.cwd})
}

/** A path when it has a separator or is there from the cwd; else a name. */
const findTarget = (deps: ApproveDeps, target: string): {name: PluginName; path: string} => {
  const path = resolve(deps.environment.cwd, target)
  if (/[/\\]/.test(target) || canonicalIfPresent(path) !== undefined) return atPath(path)
  const found = deps.find().filter((plugin) => plugin.name === target)
  const [plugin, second] = found
  if (plugin === undefined) {
    throw new JpError(
      'plugin_not_found',
      `There is no plugin "${target}": no executable jp-${target} on $PATH or in the plugin directory.`,
      {
        hint: 'See "jp plugins list", or give the path of the file.',
      },
    )
  }
  if (second !== undefined) {
    throw new JpError('plugin_clash', `Two plugins are named "${target}": ${placeOf(plugin)} and ${placeOf(second)}.`, {
      hint: 'Give the path of the one that you mean, and remove the other from $PATH.',
    })
  }
  return {name: plugin.name, path: placeOf(plugin)}
}

const atPath = (path: string): {name: PluginName; path: string} => {
  const file = basename(path)
  const name = file.startsWith('jp-') ? parsePluginName(file.slice('jp-'.length)) : undefined
  if (canonicalIfPresent(path) === undefined) throw new JpError('plugin_not_found', `There is no file ${path}.`)
  if (name === undefined) {
    throw new JpError('usage', `${path} is no plugin: the name of its file must be jp-<name>.`, {
      hint: 'Rename the file; jp finds executables by that prefix only.',
    })
  }
  return {name, path}
}

const assertExecutable = (path: string): void => {
  try {
    accessSync(path, constants.X_OK)
  } catch (error) {
    throw new JpError('file_refused', `${path} is not executable.`, {cause: error, hint: `chmod +x ${path}`})
  }
}
