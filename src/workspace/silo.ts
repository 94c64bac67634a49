import {rmdirSync, statSync} from 'node:fs'
import {basename, join} from 'node:path'
import {listNames, makeDirectory} from '../platform/files.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import {type LockHolder, tryLock} from '../platform/lock.js'
import type {Checkout} from './checkout.js'
import {parseSiloName, silosOf} from './known-workspaces.js'
import {migrateLegacyStorage} from './legacy-storage.js'
import {mergeSilos} from './silo-merge.js'

/**
 * The user-local store of a workspace: `<data>/workspace/<slug>-<id>`. Never renamed, found by its id (W2). Of several,
 * the one with this checkout's slug wins, then the one that changed last.
 */
export const findSilo = (dataDirectory: string, id: WorkspaceId, slug: string): string | undefined =>
  silosOfWorkspace(dataDirectory, id, slug)[0]

/** Every store of a workspace, the one to use first. */
const silosOfWorkspace = (dataDirectory: string, id: WorkspaceId, slug: string): string[] => {
  const silos = silosOf(dataDirectory)
  const found = listNames(silos).flatMap((name) => {
    const stat = parseSiloName(name)?.id === id ? statSync(join(silos, name), {throwIfNoEntry: false}) : undefined
    return stat?.isDirectory() === true ? [{name, at: stat.mtimeMs, own: name === `${slug}-${id}` ? 1 : 0}] : []
  })
  return found
    .sort((left, right) => right.own - left.own || right.at - left.at || (left.name < right.name ? -1 : 1))
    .map(({name}) => join(silos, name))
}

/** The name that a new store takes from a checkout's folder. */
export const slugOf = (root: string): string => basename(root)

/** The store of a run. */
export type OpenedSilo = {
  readonly silo: string
  readonly isNew: boolean
  /** Further stores of the workspace that went into it: a person should hear of that. */
  readonly merged: readonly string[]
}

/**
 * As {@link findSilo}, for `load`: creates the store when there is none, merges further ones into it (facts 1.6), and
 * migrates what older versions left.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const openSilo = (dataDirectory: string, checkout: Checkout, holder: LockHolder): OpenedSilo => {
  const slug = slugOf(checkout.root)
  const [found, ...others] = silosOfWorkspace(dataDirectory, checkout.id, slug)
  const silo = found ?? join(silosOf(dataDirectory), slug === '' ? checkout.id : `${slug}-${checkout.id}`)
  if (found === undefined) makeDirectory(silo, 'user')
  else migrateLegacyStorage(silo, checkout.id)
  const isNew = found === undefined
  if (others.length === 0) return {silo, isNew, merged: []}
  const attempt = tryLock(join(silosOf(dataDirectory), '.merge.lock'), holder)
  // Another run is at it: this one uses the store that both chose.
  if (attempt.state === 'busy') return {silo, isNew, merged: []}
  try {
    return {silo, isNew, merged: others.filter((other) => absorb(other, silo, checkout.id))}
  } finally {
    attempt.lock.release()
  }
}

const absorb = (other: string, silo: string, id: WorkspaceId): boolean => {
  migrateLegacyStorage(other, id)
  return mergeSilos(other, silo)
}

/** Takes a store that was just created away again, as far as it is empty: what could not be registered is not there. */
export const discardNewSilo = (silo: string): void => {
  for (const folder of [join(silo, 'roots'), silo]) {
    try {
      rmdirSync(folder)
    } catch {
      // Not there, or another run has put something in.
    }
  }
}
