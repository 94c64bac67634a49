import {realpathSync} from 'node:fs'
import {resolve} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import type {UserDirectories} from '../platform/directories.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import {findRootAbove} from '../workspace/discovery.js'
import {registerRoot} from '../workspace/roots-registry.js'
import {findSilo, openSilo, slugOf} from '../workspace/silo.js'
import {readWorkspaceId} from '../workspace/workspace-id-file.js'
import type {ExecutionContext} from './execution-context.js'

/** What the bootstrap is told of the run. */
export type Launch = {
  readonly environment: HostEnvironment
  readonly directories: UserDirectories
  readonly clock: Clock
  readonly globals: {readonly workspace: readonly string[]}
}

/** Chooses the checkout of this run and opens it: `resolve` reads only, `load` registers it (W8, W10). */
export const openCheckout = async (requirement: 'resolve' | 'load', launch: Launch): Promise<ExecutionContext> => {
  const launchCwd = launch.environment.cwd
  const cwdRoot = findRootAbove(realpathSync.native(launchCwd))
  const target = launch.globals.workspace[0]
  const root = target === undefined ? cwdRoot : findRootAbove(realpathSync.native(resolve(launchCwd, target)))
  const id = root === undefined ? undefined : readWorkspaceId(root)
  if (root === undefined || id === undefined) {
    throw new JpError('workspace_not_found', 'There is no workspace here.', {hint: 'Run "jp init" to make one.'})
  }
  const checkout = {id, root}
  const silo =
    requirement === 'load'
      ? openSilo(launch.directories.data, checkout)
      : findSilo(launch.directories.data, id, slugOf(root))
  if (requirement === 'load' && silo !== undefined) registerRoot(silo, checkout, launch.clock.nowMs())
  const childCwd = root === cwdRoot ? undefined : root
  return {
    checkout,
    source: target === undefined ? 'cwd' : 'path',
    silo,
    launchCwd,
    cwdRoot,
    childCwd,
    configCwd: childCwd ?? launchCwd,
  }
}
