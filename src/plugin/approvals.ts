import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {type Clock, rfc3339} from '../platform/clock.js'
import {readTextIfPresent, writeAtomic} from '../platform/files.js'
import type {PluginName} from '../platform/id-grammar.js'
import {withLock} from '../platform/lock.js'
import {type Manifest, manifestFields, readManifest} from './manifest.js'

/** What the user approved: these bytes, at this path (FR-38). */
export type Approval = {
  /** Canonical. */
  readonly path: string
  /** 64 hex digits. */
  readonly sha256: string
  /** RFC 3339 */
  readonly approvedAt: string
  /** What the plugin stated, or told to `describe`: read for a file without a manifest (S4). */
  readonly manifest: Manifest | undefined
  /** A linked folder: the place is approved, not the bytes (P15). */
  readonly isDevelopment: boolean
  /** What was approved before, until the new version is in place: an update that is cut off leaves the old one working. */
  readonly replaced: {readonly path: string; readonly sha256: string} | undefined
}

/** What is to be approved. */
export type NewApproval = Pick<Approval, 'path' | 'sha256' | 'manifest'> & {
  readonly isDevelopment?: boolean
  /** Leave what was approved before approved as well. */
  readonly keepReplaced?: boolean
}

/** What is approved at a path: the version in place, or the one that it is about to replace. */
export const approvedAt = (approval: Approval, path: string | undefined): Pick<Approval, 'path' | 'sha256'> =>
  approval.replaced !== undefined && approval.replaced.path === path ? approval.replaced : approval

/** The approvals as they are on disk. An unreadable store approves nothing, and says why (P12). */
export type Approvals = {
  readonly byName: ReadonlyMap<string, Approval>
  readonly unreadable: string | undefined
}

/** The user-local approval store: `<data>/plugin-approvals.json`, never a part of configuration (P12). */
export interface ApprovalStore {
  readonly path: string
  read(): Approvals
  /**
   * Records an approval in the place of the plugin's earlier one.
   * @throws JpError `approvals_unreadable` (nothing is overwritten), `disk_full`, `file_unwritable`.
   */
  approve(name: PluginName, approval: NewApproval): Promise<void>
  /** Removes an approval; false when there was none. Throws as {@link ApprovalStore.approve}. */
  revoke(name: PluginName): Promise<boolean>
}

/** What the store stands on. */
export type ApprovalStoreDeps = {readonly dataDirectory: string; readonly clock: Clock; readonly pid: number}

const maxStoreBytes = 16 * 1024 * 1024

/** Creates the store. Writers of several processes take turns; what this version does not know is kept. */
export const createApprovalStore = (deps: ApprovalStoreDeps): ApprovalStore => {
  const path = join(deps.dataDirectory, 'plugin-approvals.json')
  const change = (edit: (approved: Raw) => boolean): Promise<boolean> =>
    withLock(lockOf(deps), holderOf(deps), () => {
      const store = readRaw(path)
      if (!edit(store.approved)) return false
      writeAtomic(path, `${JSON.stringify({...store.others, approved: store.approved}, undefined, 2)}\n`, 'user')
      return true
    })
  return {
    path,
    read() {
      try {
        return {byName: toApprovals(readRaw(path).approved, path), unreadable: undefined}
      } catch (error) {
        return {byName: new Map(), unreadable: error instanceof Error ? error.message : String(error)}
      }
    },
    async approve(name, approval) {
      const fields = {
        path: approval.path,
        sha256: approval.sha256,
        approved_at: rfc3339(deps.clock.nowMs()),
        ...(approval.manifest === undefined ? {} : {manifest: manifestFields(approval.manifest)}),
        development: approval.isDevelopment === true ? true : undefined,
      }
      await change((approved) => {
        const before = objectIn(approved, name)
        const isOther = before['path'] !== approval.path && before['development'] !== true
        const kept = approval.keepReplaced === true && isOther && typeof before['path'] === 'string'
        const replaced = kept ? {path: before['path'], sha256: before['sha256']} : undefined
        approved[name] = {...before, ...fields, replaced}
        return true
      })
    },
    revoke: (name) => change((approved) => Object.hasOwn(approved, name) && delete approved[name]),
  }
}

type Raw = Record<string, unknown>

const lockOf = (deps: ApprovalStoreDeps): string => join(deps.dataDirectory, 'locks', 'plugin-approvals.lock')
const holderOf = (deps: ApprovalStoreDeps) => ({pid: deps.pid, acquired_at: rfc3339(deps.clock.nowMs())})

/** The store as it stands, unknown fields included. @throws JpError `approvals_unreadable`. */
const readRaw = (path: string): {approved: Raw; others: Raw} => {
  try {
    const text = readTextIfPresent(path, {maxBytes: maxStoreBytes})
    if (text === undefined) return {approved: {}, others: {}}
    const value: unknown = JSON.parse(text)
    if (!isObject(value) || !isObject(value['approved'])) throw new SyntaxError('it is no approval store')
    return {approved: withoutPrototype(value['approved']), others: value}
  } catch (error) {
    const reason = error instanceof JpError ? error.message : `Can't read ${path}: ${(error as Error).message}.`
    throw new JpError('approvals_unreadable', `The approval store is unreadable and approves nothing. ${reason}`, {
      cause: error,
      hint: `It is kept as it is. To start anew: mv ${path} ${path}.old`,
    })
  }
}

/** A plugin named `constructor` finds no approval that nobody gave. */
const withoutPrototype = (value: Raw): Raw => Object.assign(Object.create(null) as Raw, value)

const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value)

const objectIn = (record: Raw, key: string): Raw => {
  const value = Object.hasOwn(record, key) ? record[key] : undefined
  return isObject(value) ? value : {}
}

/** Entries that are no approvals approve nothing; the others count. */
const toApprovals = (approved: Raw, file: string): Map<string, Approval> =>
  new Map(
    Object.entries(approved).flatMap(([name, entry]) => {
      const approval = toApproval(entry, file)
      return approval === undefined ? [] : [[name, approval] as const]
    }),
  )

const toApproval = (entry: unknown, file: string): Approval | undefined => {
  if (!isObject(entry) || typeof entry['path'] !== 'string' || typeof entry['sha256'] !== 'string') return undefined
  const approvedAt = typeof entry['approved_at'] === 'string' ? entry['approved_at'] : ''
  const replaced = entry['replaced']
  return {
    path: entry['path'],
    sha256: entry['sha256'],
    approvedAt,
    manifest: toManifest(entry['manifest'], file),
    isDevelopment: entry['development'] === true,
    replaced:
      isObject(replaced) && typeof replaced['path'] === 'string' && typeof replaced['sha256'] === 'string'
        ? {path: replaced['path'], sha256: replaced['sha256']}
        : undefined,
  }
}

const toManifest = (value: unknown, file: string): Manifest | undefined => {
  try {
    return readManifest(value, file)
  } catch {
    return undefined
  }
}
