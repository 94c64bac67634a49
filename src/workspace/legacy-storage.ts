import {lstatSync, readlinkSync} from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import {rfc3339} from '../platform/clock.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {removeFile} from '../platform/files.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import {storageName} from './checkout.js'
import {isLiveRoot, type RootRecord, readRoots, registerRoot} from './roots-registry.js'

/** Before the registry, a store held one symbolic link `storage` to the `.jp` of its only checkout (facts 1.7). */
const linkOf = (silo: string): string => join(silo, 'storage')

/** The checkout that a legacy link names, as a record; undefined when there is no such link. Reads only. */
export const readLegacyRoot = (silo: string): RootRecord | undefined => {
  const link = linkOf(silo)
  try {
    const stat = lstatSync(link)
    if (!stat.isSymbolicLink()) return undefined
    const target = resolve(silo, readlinkSync(link))
    const storage = canonicalIfPresent(target) ?? target
    if (basename(storage) !== storageName) return undefined
    return {path: dirname(storage), last_used: rfc3339(stat.mtimeMs)}
  } catch {
    return undefined
  }
}

/**
 * Turns a legacy link into a record of the registry and removes it; for `load` alone. The link stays when the record
 * can't be written.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const migrateLegacyStorage = (silo: string, id: WorkspaceId): void => {
  const legacy = readLegacyRoot(silo)
  if (legacy === undefined) return
  const isNews = readRoots(silo).every(({path}) => path !== legacy.path)
  if (isNews && isLiveRoot(id, legacy.path)) registerRoot(silo, {id, root: legacy.path}, Date.parse(legacy.last_used))
  removeFile(linkOf(silo))
}
