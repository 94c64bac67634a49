import {join} from 'node:path'
import {hasCode, JpError} from '../../errors/jp-error.js'
import {removeFolder} from '../../platform/folders.js'
import {type InstallDeps, type InstallPlan, installPackage, storeOf} from './install-package.js'
import type {InstalledPackage} from './package-index.js'
import {uninstallPackage} from './uninstall-package.js'

/** How everything is removed. */
export type ResetRequest = {
  /** What was cached of plugins too, and the whole store unless packages are installed anew. */
  readonly hard: boolean
  readonly reinstall: boolean
  agree(plan: InstallPlan): Promise<void>
}

/** What came of the packages: npm names. */
export type Reset = {
  readonly removed: readonly string[]
  readonly installed: readonly string[]
  /** Could not be installed anew, and stayed as they were. */
  readonly failed: readonly {readonly package: string; readonly error: JpError}[]
}

/**
 * Removes every package. With `reinstall` each is fetched again from where it came and takes its own place, so that one that
 * can't be fetched works on (P16); linked folders are let go all the same, since linking is agreed to by itself. An index that
 * does not parse is set aside first.
 * @throws JpError as `uninstallPackage`; `interrupted`.
 */
export const resetPackages = async (deps: InstallDeps, request: ResetRequest): Promise<Reset> => {
  const store = storeOf(deps)
  await store.repair()
  if (request.hard) removeFolder(join(deps.directories.cache, 'plugins'))
  const removed: string[] = []
  const installed: string[] = []
  const failed: {package: string; error: JpError}[] = []
  for (const entry of store.list()) {
    if (!request.reinstall || entry.place.kind === 'linked') {
      removed.push((await uninstallPackage(deps, entry.name)).package)
      continue
    }
    const error = await reinstall(deps, request, entry)
    if (error === undefined) installed.push(entry.name)
    else failed.push({package: entry.name, error})
  }
  if (request.hard && !request.reinstall) removeFolder(store.folder)
  return {removed, installed, failed}
}

const reinstall = async (
  deps: InstallDeps,
  request: ResetRequest,
  {place, source, isOfficial}: InstalledPackage,
): Promise<JpError | undefined> => {
  const integrity = place.kind === 'installed' && isOfficial ? place.integrity : undefined
  const official = integrity === undefined ? undefined : {integrity, claim: undefined}
  try {
    await installPackage(deps, {source, official, agree: (plan) => request.agree(plan)})
    return undefined
  } catch (error) {
    if (!(error instanceof JpError) || hasCode(error, 'interrupted')) throw error
    return error
  }
}
