import {join} from 'node:path'
import {removeFolder} from '../../platform/folders.js'
import {type InstallDeps, type InstallPlan, installPackage, storeOf} from './install-package.js'
import {uninstallPackage} from './uninstall-package.js'

/** How everything is removed. */
export type ResetRequest = {
  /** The index and the caches too. */
  readonly hard: boolean
  readonly reinstall: boolean
  agree(plan: InstallPlan): Promise<void>
}

/** What was removed and installed anew: npm names. */
export type Reset = {readonly removed: readonly string[]; readonly installed: readonly string[]}

/**
 * Removes every package. With `reinstall` each is installed again from where it came; linked folders are only let go, since
 * linking is agreed to by itself.
 * @throws JpError as `uninstallPackage` and `installPackage`.
 */
export const resetPackages = async (deps: InstallDeps, request: ResetRequest): Promise<Reset> => {
  const store = storeOf(deps)
  const before = store.list()
  const removed: string[] = []
  for (const {name} of before) removed.push((await uninstallPackage(deps, name)).package)
  if (request.hard) {
    removeFolder(store.folder)
    removeFolder(join(deps.directories.cache, 'plugins'))
  }
  const installed: string[] = []
  for (const {place, source, isOfficial} of request.reinstall ? before : []) {
    if (place.kind === 'linked') continue
    const official = isOfficial ? {integrity: place.integrity, claim: undefined} : undefined
    installed.push((await installPackage(deps, {source, official, agree: (plan) => request.agree(plan)})).plan.package)
  }
  return {removed, installed}
}
