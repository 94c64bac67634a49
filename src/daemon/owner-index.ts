import type {SessionId} from '../conversation/session-id.js'
import type {WorkspaceRuntime} from './runtime.js'

/** Whose a live session is. */
export type Owner =
  | {readonly kind: 'found'; readonly runtime: WorkspaceRuntime}
  | {readonly kind: 'not_found'}
  | {readonly kind: 'ambiguous'}

/**
 * The map from live sessions to runtimes (D14). It saves a scan and decides nothing: every entry is verified against the
 * runtime that it names. It is never written to a disk.
 */
export interface OwnerIndex {
  /** A bridge has a session (spawn, load, resume). */
  add(id: SessionId, runtime: WorkspaceRuntime): void
  /** A bridge has one no longer (close, kill, channel exit, shutdown). */
  remove(id: SessionId, runtime: WorkspaceRuntime): void
  /** Spawns nothing, reads no store. */
  resolve(id: SessionId): Owner
}

/** Creates an empty index over runtimes. */
export const createOwnerIndex = (runtimes: readonly WorkspaceRuntime[]): OwnerIndex => {
  const entries = new Map<SessionId, WorkspaceRuntime>()
  const contested = new Set<SessionId>()
  const has = (runtime: WorkspaceRuntime, id: SessionId): boolean => runtime.bridge.find(id) !== undefined
  const scan = (id: SessionId): Owner => {
    const [first, second] = runtimes.filter((runtime) => has(runtime, id))
    contested.delete(id)
    if (first === undefined) return {kind: 'not_found'}
    if (second === undefined) {
      entries.set(id, first)
      return {kind: 'found', runtime: first}
    }
    contested.add(id)
    return {kind: 'ambiguous'}
  }
  return {
    add(id, runtime) {
      const other = entries.get(id)
      if (other !== undefined && other !== runtime) contested.add(id)
      entries.set(id, runtime)
    },
    remove(id, runtime) {
      if (entries.get(id) === runtime) entries.delete(id)
    },
    resolve(id) {
      const indexed = entries.get(id)
      if (indexed !== undefined && !contested.has(id)) {
        if (has(indexed, id)) return {kind: 'found', runtime: indexed}
        entries.delete(id)
      }
      return scan(id)
    },
  }
}
