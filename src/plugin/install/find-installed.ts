import {resolve} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {canonicalIfPresent} from '../../platform/contained-path.js'
import {npmNameIn} from '../packages.js'
import {type InstallDeps, storeOf} from './install-package.js'
import type {InstalledPackage} from './package-index.js'

/**
 * The installed package that a user named: by a plugin of it, by its npm name (a version or tag behind it does not matter),
 * or by a folder: one that is linked, or that holds a package of the name (P28, P29).
 * @throws JpError `plugin_not_found`.
 */
export const findInstalled = (deps: InstallDeps, target: string): InstalledPackage => {
  const installed = storeOf(deps).list()
  const named = deps.find().find(({name, origin}) => origin.kind === 'package' && name === target)
  const npmName =
    named?.origin.kind === 'package'
      ? named.origin.npmName
      : (nameAtPath(deps, target, installed) ?? withoutTag(target))
  const entry = installed.find(({name}) => name === npmName)
  if (entry !== undefined) return entry
  const executable = deps.find().find(({name, origin}) => origin.kind === 'executable' && name === target)
  if (executable !== undefined) {
    throw new JpError('plugin_not_found', `"${target}" is an executable on $PATH, not an installed package.`, {
      hint: `To remove it: rm ${executable.origin.path}`,
    })
  }
  throw new JpError('plugin_not_found', `No package "${npmName}" is installed.`, {hint: 'See "jp plugins list".'})
}

/** The npm name behind a path: of the folder that is linked there, also when it is gone, or of the package in it. */
const nameAtPath = (
  {environment}: InstallDeps,
  target: string,
  installed: readonly InstalledPackage[],
): string | undefined => {
  if (!/^(?:~|\.{1,2})?\/|^\.{1,2}$/.test(target)) return undefined
  const path = resolve(environment.cwd, target.replace(/^~(?=\/)/, environment.homeDir))
  const root = canonicalIfPresent(path) ?? path
  const linked = installed.find(({place}) => place.kind === 'linked' && place.root === root)
  return linked?.name ?? npmNameIn(root)
}

const withoutTag = (target: string): string => target.replace(/(?<!^)@[^/@]*$/, '')
