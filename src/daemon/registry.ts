import {realpathSync} from 'node:fs'
import {isAbsolute} from 'node:path'
import {parseSessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import {sha256OfText} from '../platform/text-digest.js'
import {createOwnerIndex, type OwnerIndex} from './owner-index.js'
import type {WorkspaceRuntime} from './runtime.js'

/** The registered workspaces of one daemon; fixed from boot to end (D6, D7). */
export interface WorkspaceRegistry {
  /** In the order of the command line; the first is the primary. */
  readonly runtimes: readonly WorkspaceRuntime[]
  readonly primary: WorkspaceRuntime
  readonly owners: OwnerIndex
  /** Exact lookups: no prefix, no nearest parent, no look into a store. */
  byCwd(canonicalCwd: string): WorkspaceRuntime | undefined
  byId(workspaceId: string): WorkspaceRuntime | undefined
  /**
   * The runtime for a request's `cwd`; the primary for an omitted one only.
   * @throws JpError `workspace_mismatch`, `invalid_request` (not absolute).
   */
  resolveWorkspaceCwd(cwd: string | undefined): WorkspaceRuntime
  /**
   * The runtime that a live session is in.
   * @throws JpError `session_not_found`, `session_owner_ambiguous`. Never the primary for a miss.
   */
  ownerOf(sessionId: string): WorkspaceRuntime
}

/** The id of a runtime: the first 16 hex digits of SHA-256 over the canonical path. */
export const workspaceIdOf = (canonicalCwd: string): string => sha256OfText(canonicalCwd).slice(0, 16)

/** The longest path that a request may name. Unit: UTF-16 code units. */
const maxCwdUnits = 4096

/**
 * The canonical path of what a request names, or the path itself when there is nothing.
 * @throws JpError `invalid_request`.
 */
export const canonicalCwd = (cwd: string): string => {
  if (!isAbsolute(cwd)) throw new JpError('invalid_request', '`cwd` must be an absolute path when provided.')
  if (cwd.length > maxCwdUnits) throw new JpError('invalid_request', '`cwd` is too long.')
  try {
    return realpathSync.native(cwd)
  } catch {
    return cwd
  }
}

/** Creates the registry. @param runtimes at least one; the first is the primary. */
export const createRegistry = (runtimes: readonly [WorkspaceRuntime, ...WorkspaceRuntime[]]): WorkspaceRegistry => {
  const [primary] = runtimes
  const byCwd = new Map(runtimes.map((runtime) => [runtime.workspaceCwd, runtime]))
  const byId = new Map(runtimes.map((runtime) => [runtime.workspaceId, runtime]))
  const owners = createOwnerIndex(runtimes)
  return {
    runtimes,
    primary,
    owners,
    byCwd: (cwd) => byCwd.get(cwd),
    byId: (id) => byId.get(id),
    resolveWorkspaceCwd(cwd) {
      if (cwd === undefined) return primary
      const runtime = byCwd.get(canonicalCwd(cwd))
      if (runtime === undefined) throw workspaceMismatch(cwd, runtimes)
      return runtime
    },
    ownerOf(sessionId) {
      const id = parseSessionId(sessionId)
      const owner = id === undefined ? ({kind: 'not_found'} as const) : owners.resolve(id)
      if (owner.kind === 'found') return owner.runtime
      if (owner.kind === 'not_found') throw sessionNotFound(sessionId)
      throw new JpError('session_owner_ambiguous', 'Two workspaces claim this session, so nothing was done.', {
        details: {sessionId},
        hint: 'Restart the daemon, and report it: this is a bug in jp.',
      })
    },
  }
}

/** No runtime has this path. */
export const workspaceMismatch = (requested: string, runtimes: readonly WorkspaceRuntime[]): JpError =>
  new JpError('workspace_mismatch', 'This daemon does not serve that workspace.', {
    hint: 'See /capabilities for the workspaces that it serves; "jp serve -w" adds one at start.',
    details: {
      boundWorkspace: runtimes[0]?.workspaceCwd,
      ...(runtimes.length > 1 ? {workspaceCount: runtimes.length} : {}),
      requestedWorkspace: requested,
    },
  })

/** No live session, or no stored one where it was looked for, has this id. */
export const sessionNotFound = (sessionId: string): JpError =>
  new JpError('session_not_found', `No session with id ${JSON.stringify(sessionId)}.`, {details: {sessionId}})

/** The workspace takes no sessions (D9). */
export const untrustedWorkspace = (runtime: WorkspaceRuntime): JpError =>
  new JpError('untrusted_workspace', 'Workspace is not trusted.', {
    hint: 'Run "jp w trust" in it, then restart the daemon.',
    details: {workspaceCwd: runtime.workspaceCwd, workspaceId: runtime.workspaceId},
  })
