import {join} from 'node:path'
import {listNames} from '../platform/files.js'
import {parseWorkspaceId, type WorkspaceId} from '../platform/id-grammar.js'
import {storageName} from './checkout.js'
import {isLiveRoot, type RootRecord, readRoots} from './roots-registry.js'

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
 * Every workspace that a run has registered on this machine, newest checkout first, then those with no live checkout.
 * Opens, writes and prunes nothing; reads what exists at the time of the call (S17, S18).
 * @param launch the workspace that S7 selected, or undefined when it selected none.
 */
export const listKnownWorkspaces = (dataDirectory: string, launch: WorkspaceId | undefined): ListedWorkspace[] => {
  const byId = new Map<WorkspaceId, {slug: string | null; records: RootRecord[]}>()
  for (const name of listNames(silosOf(dataDirectory))) {
    const parsed = parseSiloName(name)
    if (parsed === undefined) continue
    const known = byId.get(parsed.id) ?? {slug: null, records: []}
    known.slug ??= parsed.slug
    known.records.push(...readRoots(join(silosOf(dataDirectory), name)))
    byId.set(parsed.id, known)
  }
  return [...byId]
    .map(([id, {slug, records}]) => ({id, slug, launch: id === launch, roots: liveRoots(id, records)}))
    .sort(byRecency)
}

const liveRoots = (id: WorkspaceId, records: readonly RootRecord[]): ListedRoot[] => {
  const newest = new Map<string, RootRecord>()
  for (const record of records) {
    const other = newest.get(record.path)
    if (other === undefined || other.last_used < record.last_used) newest.set(record.path, record)
  }
  return [...newest.values()]
    .filter((record) => isLiveRoot(id, record.path))
    .sort((left, right) => (left.last_used < right.last_used ? 1 : left.last_used > right.last_used ? -1 : 0))
    .map((record) => ({path: record.path, storage: join(record.path, storageName), last_used: record.last_used}))
}

const byRecency = (left: ListedWorkspace, right: ListedWorkspace): number => {
  const [leftUsed, rightUsed] = [left.roots[0]?.last_used ?? '', right.roots[0]?.last_used ?? '']
  if (leftUsed !== rightUsed) return leftUsed < rightUsed ? 1 : -1
  return left.id < right.id ? -1 : 1
}
