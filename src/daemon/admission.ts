import {JpError} from '../errors/jp-error.js'

/** A place for one session, from before its creation to its end. */
export interface Slot {
  /** Gives the place back; a second call does nothing. */
  release(): void
}

/** How many sessions may live. Undefined is no cap. */
export type SessionCaps = {readonly perWorkspace: number | undefined; readonly total: number | undefined}

/** Admits new sessions (D15). Attaching to one is never asked here. */
export interface Admission {
  readonly caps: SessionCaps
  /**
   * Takes a place, synchronously, so that nothing comes between the question and the answer.
   * @throws JpError `session_limit_exceeded` (details: `limit`, `scope`).
   */
  reserve(workspaceId: string): Slot
  /** The places taken, live and in flight. */
  taken(): number
}

/** The cap over all workspaces: as given, else per workspace × workspaces when there are several and that is finite. */
export const totalCap = (
  given: number | undefined,
  perWorkspace: number | undefined,
  workspaces: number,
): number | undefined => {
  if (given !== undefined) return given
  return workspaces > 1 && perWorkspace !== undefined ? perWorkspace * workspaces : undefined
}

/** Creates the admission of one daemon. */
export const createAdmission = (caps: SessionCaps): Admission => {
  const byWorkspace = new Map<string, number>()
  let total = 0
  const change = (workspaceId: string, by: 1 | -1): void => {
    total += by
    byWorkspace.set(workspaceId, (byWorkspace.get(workspaceId) ?? 0) + by)
  }
  return {
    caps,
    reserve(workspaceId) {
      if (caps.perWorkspace !== undefined && (byWorkspace.get(workspaceId) ?? 0) >= caps.perWorkspace) {
        throw full(caps.perWorkspace, 'workspace')
      }
      if (caps.total !== undefined && total >= caps.total) throw full(caps.total, 'total')
      change(workspaceId, 1)
      let isHeld = true
      return {
        release() {
          if (!isHeld) return
          isHeld = false
          change(workspaceId, -1)
        },
      }
    },
    taken: () => total,
  }
}

const full = (limit: number, scope: 'workspace' | 'total'): JpError =>
  new JpError(
    'session_limit_exceeded',
    scope === 'total' ? `All ${limit} sessions are in use.` : `All ${limit} sessions of this workspace are in use.`,
    {hint: 'Close a session, or start the daemon with a higher cap.', details: {limit, scope}},
  )
