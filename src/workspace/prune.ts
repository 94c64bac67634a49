import {join} from 'node:path'
import {listNames, removeFile} from '../platform/files.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import {parseSiloName, silosOf} from './known-workspaces.js'
import {isLiveRoot, readRootFiles} from './roots-registry.js'

/** A registry entry whose checkout is gone. */
export type DeadRoot = {readonly id: WorkspaceId; readonly path: string; readonly file: string}

/**
 * The entries of checkouts that are gone (W3), removed unless `dryRun`. Conversations stay: only the entry goes. Entries
 * that can't be read are left alone, since nothing tells what they were.
 * @throws JpError `file_unwritable`, `file_unreadable`.
 */
export const pruneRoots = (dataDirectory: string, {dryRun}: {readonly dryRun: boolean}): DeadRoot[] => {
  const dead = listNames(silosOf(dataDirectory)).flatMap((name) =>
    deadRootsOf(join(silosOf(dataDirectory), name), name),
  )
  if (!dryRun) for (const entry of dead) forgetRoot(entry)
  return dead
}

const deadRootsOf = (silo: string, name: string): DeadRoot[] => {
  const id = parseSiloName(name)?.id
  if (id === undefined) return []
  return readRootFiles(silo).flatMap(({file, record}) =>
    record === undefined || isLiveRoot(id, record.path) ? [] : [{id, path: record.path, file}],
  )
}

/** Removes one entry, unless its checkout has come back. @throws JpError `file_unwritable`. */
export const forgetRoot = ({id, path, file}: DeadRoot): void => {
  if (isLiveRoot(id, path)) return
  removeFile(file)
}
