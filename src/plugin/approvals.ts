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
}

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
  approve(name: PluginName, approval: Omit<Approval, 'approvedAt'>): Promise<void>
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
      }
      await change((approved) => {
        approved[name] = {...objectIn(approved, name), ...fields}
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
  return {path: entry['path'], sha256: entry['sha256'], approvedAt, manifest: toManifest(entry['manifest'], file)}
}

const toManifest = (value: unknown, file: string): Manifest | undefined => {
  try {
    return readManifest(value, file)
  } catch {
    return undefined
  }
}
