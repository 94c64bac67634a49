import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {rfc3339} from '../platform/clock.js'
import {listNames, makeDirectory, readText, sweepTemporaries, writeAtomic} from '../platform/files.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import type {Checkout} from './checkout.js'
import {findWorkspaceId, hasStorage} from './workspace-id-file.js'

/** One registered checkout as its file says (W3): `roots/<root-key>.json`. */
export type RootRecord = {
  /** Canonical path of the checkout. */
  readonly path: string
  /** RFC 3339, UTC. */
  readonly last_used: string
}

/** How old a record may be before a run writes it anew. Unit: milliseconds. */
const refreshAfterMs = 5 * 60 * 1000

/** The key of a checkout's file: the first 16 hex digits of SHA-256 over the canonical path. */
export const rootKey = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 16)

const registryOf = (silo: string): string => join(silo, 'roots')

/**
 * A root is live when `<path>/.jp` is a folder and the id in its `.id` is this id; no walk upward (W3).
 * A folder that can't be read is not live.
 */
export const isLiveRoot = (id: WorkspaceId, path: string): boolean => {
  try {
    return hasStorage(path) && findWorkspaceId(path) === id
  } catch {
    return false
  }
}

/** Every record of a user-local store, newest first. Prunes nothing; what can't be read is left out. */
export const readRoots = (silo: string): RootRecord[] => {
  const registry = registryOf(silo)
  const records = listNames(registry)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => readRecord(join(registry, name)))
  return newestFirst(records.filter((record) => record !== undefined))
}

const newestFirst = (records: readonly RootRecord[]): RootRecord[] =>
  [...records].sort((left, right) => compare(right.last_used, left.last_used) || compare(left.path, right.path))

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const readRecord = (path: string): RootRecord | undefined => {
  try {
    const value: unknown = JSON.parse(readText(path, {maxBytes: 64 * 1024}))
    if (typeof value !== 'object' || value === null || !('path' in value) || typeof value.path !== 'string')
      return undefined
    const lastUsed = 'last_used' in value && typeof value.last_used === 'string' ? value.last_used : rfc3339(0)
    return {path: value.path, last_used: lastUsed}
  } catch {
    return undefined
  }
}

/**
 * Records that a run uses this checkout. Writes its own file only, and only when the record is new, older than five
 * minutes, or from the future.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const registerRoot = (silo: string, checkout: Checkout, nowMs: number): void => {
  const registry = registryOf(silo)
  const path = join(registry, `${rootKey(checkout.root)}.json`)
  const known = readRecord(path)
  const ageMs = known?.path === checkout.root ? nowMs - Date.parse(known.last_used) : Number.NaN
  if (ageMs >= 0 && ageMs < refreshAfterMs) return
  makeDirectory(registry, 'user')
  sweepTemporaries(registry)
  writeAtomic(path, `${JSON.stringify({path: checkout.root, last_used: rfc3339(nowMs)}, undefined, 2)}\n`, 'user')
}

/** The path of a record's file, for pruning and for `jp doctor`. */
export const recordFile = (silo: string, root: string): string => {
  if (root === '') throw new JpError('file_refused', 'A checkout has no empty path.')
  return join(registryOf(silo), `${rootKey(root)}.json`)
}
