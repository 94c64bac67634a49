import type {Bridge} from './bridge.js'
import type {SessionShelf} from './session-shelf.js'
import type {StoredSessions} from './stored-sessions.js'

/** Where the environment of a runtime's children comes from (D8). */
export type RuntimeEnv = {
  /** `base` alone for a workspace without trust: nothing of it was read. */
  readonly source: 'base' | 'workspace'
  /** The environment for a child that starts now, from the base, then `.env`, then settings. */
  compute(): Promise<Readonly<Record<string, string>>>
}

/** The daemon's bundle for one registered workspace (D6). Made at boot, and by nothing that a request names. */
export type WorkspaceRuntime = {
  /** The first 16 hex digits of SHA-256 over the canonical cwd. */
  readonly workspaceId: string
  readonly workspaceCwd: string
  readonly primary: boolean
  readonly trusted: boolean
  readonly env: RuntimeEnv
  readonly bridge: Bridge
  readonly stored: StoredSessions
  /** What can be done with them; asked for the primary alone. */
  readonly shelf: () => Promise<SessionShelf>
}

/** A runtime as `/capabilities` and `/daemon/status` publish it. */
export const publishedRuntime = ({workspaceId, workspaceCwd, primary, trusted}: WorkspaceRuntime) => ({
  id: workspaceId,
  cwd: workspaceCwd,
  primary,
  trusted,
})
