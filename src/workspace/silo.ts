import {statSync} from 'node:fs'
import {basename, join} from 'node:path'
import {listNames, makeDirectory} from '../platform/files.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import type {Checkout} from './checkout.js'
import {silosOf} from './known-workspaces.js'

/** The user-local store of a workspace: `<data>/workspace/<slug>-<id>`. Never renamed, found by its id (W2). */
export const findSilo = (dataDirectory: string, id: WorkspaceId, slug: string): string | undefined => {
  const silos = silosOf(dataDirectory)
  const names = listNames(silos).filter((name) => name === id || name.endsWith(`-${id}`))
  const own = names.find((name) => name === `${slug}-${id}`)
  const chosen = own ?? newest(silos, names)
  return chosen === undefined ? undefined : join(silos, chosen)
}

const newest = (silos: string, names: readonly string[]): string | undefined =>
  names.map((name) => ({name, at: statSync(join(silos, name)).mtimeMs})).sort((left, right) => right.at - left.at)[0]
    ?.name

/** The name that a new store takes from a checkout's folder. */
export const slugOf = (root: string): string => basename(root)

/**
 * As {@link findSilo}, and creates the store when there is none.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const openSilo = (dataDirectory: string, checkout: Checkout): string => {
  const slug = slugOf(checkout.root)
  const silo = findSilo(dataDirectory, checkout.id, slug) ?? join(silosOf(dataDirectory), `${slug}-${checkout.id}`)
  makeDirectory(silo, 'user')
  return silo
}
