import {join} from 'node:path'
import {hasCode} from '../errors/jp-error.js'
import {rfc3339} from '../platform/clock.js'
import {listNames, makeDirectory, readTextIfPresent, writeAtomic} from '../platform/files.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import {setAside} from '../platform/set-aside.js'
import {sweepTemporaries} from '../platform/temporaries.js'
import {sha256OfText} from '../platform/text-digest.js'
import type {Checkout} from './checkout.js'
import {findWorkspaceId, hasStorage} from './workspace-id-file.js'

/** One registered checkout as its file says (W3): `roots/<root-key>.json`. */
export type RootRecord = {
  /** Canonical path of the checkout. */
  readonly path: string
  /** RFC 3339, UTC. */
  readonly last_used: string
}

/** A file of the registry. */
export type RootFile = {
  readonly file: string
  /** Undefined when it says nothing, or can't be read. */
  readonly record: RootRecord | undefined
  /** It was read, and says nothing. */
  readonly isDamaged: boolean
}

/** How old a record may be before a run writes it anew. Unit: milliseconds. */
const refreshAfterMs = 5 * 60 * 1000

/** The key of a checkout's file: the first 16 hex digits of SHA-256 over the canonical path (FR-05: nothing is folded). */
export const rootKey = (root: string): string => sha256OfText(root).slice(0, 16)

const registryOf = (silo: string): string => join(silo, 'roots')

/** The path of a checkout's file. */
export const recordFile = (silo: string, root: string): string => join(registryOf(silo), `${rootKey(root)}.json`)

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

/** Every file of a registry. Prunes nothing. */
export const readRootFiles = (silo: string): RootFile[] => {
  const registry = registryOf(silo)
  return listNames(registry)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => readRootFile(join(registry, name)))
}

/** Every record of a user-local store, newest first. Prunes nothing; what can't be read is left out. */
export const readRoots = (silo: string): RootRecord[] =>
  readRootFiles(silo)
    .map(({record}) => record)
    .filter((record) => record !== undefined)
    .sort((left, right) => compare(right.last_used, left.last_used) || compare(left.path, right.path))

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** What can't be read may be sound: only bytes that were read can be damaged. */
const readRootFile = (file: string): RootFile => {
  try {
    const text = readTextIfPresent(file, {maxBytes: 64 * 1024})
    const record = text === undefined ? undefined : parseRecord(text)
    return {file, record, isDamaged: text !== undefined && record === undefined}
  } catch (error) {
    return {file, record: undefined, isDamaged: !hasCode(error, 'file_unreadable')}
  }
}

const parseRecord = (text: string): RootRecord | undefined => {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || !('path' in value) || typeof value.path !== 'string')
    return undefined
  const lastUsed = 'last_used' in value && typeof value.last_used === 'string' ? value.last_used : rfc3339(0)
  return {path: value.path, last_used: lastUsed}
}

/**
 * Records that a run uses this checkout. Writes its own file only, and only when the record is new, older than five
 * minutes, or from the future.
 * @returns the path that a damaged record was set aside to (FR-15), or undefined.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const registerRoot = (silo: string, checkout: Checkout, nowMs: number): string | undefined => {
  const path = recordFile(silo, checkout.root)
  const {record: known, isDamaged} = readRootFile(path)
  const ageMs = known?.path === checkout.root ? nowMs - Date.parse(known.last_used) : Number.NaN
  if (ageMs >= 0 && ageMs < refreshAfterMs) return undefined
  makeDirectory(registryOf(silo), 'user')
  sweepTemporaries(registryOf(silo))
  const aside = isDamaged ? setAside(path) : undefined
  writeAtomic(path, `${JSON.stringify({path: checkout.root, last_used: rfc3339(nowMs)}, undefined, 2)}\n`, 'user')
  return aside
}
