import {join} from 'node:path'
import {listNames} from '../platform/files.js'
import {parseWorkspaceId, type WorkspaceId} from '../platform/id-grammar.js'
import {storageName} from './checkout.js'
import {readLegacyRoot} from './legacy-storage.js'
import {isLiveRoot, type RootRecord, readRoots} from './roots-registry.js'

/** A workspace that a run has registered on this machine. */
export type KnownWorkspace = {
  readonly id: WorkspaceId
  readonly slug: string | null
  /** Newest first. */
  readonly live: readonly RootRecord[]
  /** Registered checkouts that are gone, newest first. */
  readonly dead: readonly RootRecord[]
}

/** One live checkout as `jp w ls` and `list_workspaces` print it (S17). */
export type ListedRoot = {
  readonly path: string
  /** The `.jp` folder of the checkout. */
  readonly storage: string
  /** RFC 3339, UTC. */
  readonly last_used: string
}

/** One workspace as `jp w ls` and `list_workspaces` print it (S17). The key order is part of the shape. */
export type ListedWorkspace = {
  readonly id: WorkspaceId
  readonly slug: string | null
  readonly launch: boolean
  /** Live checkouts, newest first; empty when every checkout is gone. */
  readonly roots: readonly ListedRoot[]
}

/** The name of a user-local store, taken apart: `<slug>-<id>` or `<id>`. */
export const parseSiloName = (name: string): {id: WorkspaceId; slug: string | null} | undefined => {
  const dash = name.lastIndexOf('-')
  const id = parseWorkspaceId(name.slice(dash + 1))
  if (id === undefined || dash === 0) return undefined
  return {id, slug: dash === -1 ? null : name.slice(0, dash)}
}

/** The folder that holds the user-local stores of all workspaces. */
export const silosOf = (dataDirectory: string): string => join(dataDirectory, 'workspace')

/**
 * Every workspace that a run has registered, newest live checkout first, then those that have none, by id.
 * Opens, writes and prunes nothing; reads what exists at the time of the call (S18).
 */
export const readKnownWorkspaces = (dataDirectory: string): KnownWorkspace[] => {
  const byId = new Map<WorkspaceId, {slug: string | null; records: RootRecord[]}>()
  for (const name of listNames(silosOf(dataDirectory))) {
    const parsed = parseSiloName(name)
    if (parsed === undefined) continue
    const known = byId.get(parsed.id) ?? {slug: null, records: []}
    known.slug ??= parsed.slug
    known.records.push(...recordsOf(join(silosOf(dataDirectory), name)))
    byId.set(parsed.id, known)
  }
  return [...byId].map(([id, {slug, records}]) => ({id, slug, ...sorted(id, records)})).sort(byRecency)
}

/** A store that can't be read has no checkouts to offer; it must not hide the others. */
const recordsOf = (silo: string): RootRecord[] => {
  try {
    const legacy = readLegacyRoot(silo)
    return [...readRoots(silo), ...(legacy === undefined ? [] : [legacy])]
  } catch {
    return []
  }
}

/** As S17 and `jp w ls` list them. @param launch the workspace that S7 selected, or undefined when it selected none. */
export const listed = (known: readonly KnownWorkspace[], launch: WorkspaceId | undefined): ListedWorkspace[] =>
  known.map(({id, slug, live}) => ({
    id,
    slug,
    launch: id === launch,
    roots: live.map(({path, last_used}) => ({path, storage: join(path, storageName), last_used})),
  }))

/** {@link readKnownWorkspaces} in the shape of `list_workspaces` (S17). */
export const listKnownWorkspaces = (dataDirectory: string, launch: WorkspaceId | undefined): ListedWorkspace[] =>
  listed(readKnownWorkspaces(dataDirectory), launch)

const sorted = (id: WorkspaceId, records: readonly RootRecord[]): Pick<KnownWorkspace, 'live' | 'dead'> => {
  const newest = new Map<string, RootRecord>()
  for (const record of records) {
    const other = newest.get(record.path)
    if (other === undefined || other.last_used < record.last_used) newest.set(record.path, record)
  }
  const live: RootRecord[] = []
  const dead: RootRecord[] = []
  for (const record of newest.values()) (isLiveRoot(id, record.path) ? live : dead).push(record)
  return {live: live.sort(newestFirst), dead: dead.sort(newestFirst)}
}

const newestFirst = (left: RootRecord, right: RootRecord): number => {
  if (left.last_used !== right.last_used) return left.last_used < right.last_used ? 1 : -1
  return left.path < right.path ? -1 : 1
}

const byRecency = (left: KnownWorkspace, right: KnownWorkspace): number => {
  const [leftUsed, rightUsed] = [left.live[0]?.last_used ?? '', right.live[0]?.last_used ?? '']
  if (leftUsed !== rightUsed) return leftUsed < rightUsed ? 1 : -1
  return left.id < right.id ? -1 : 1
}
