import {parseSessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import type {requestSchemas} from '../protocol/http-requests.js'
import type {Daemon} from './daemon.js'
import type {FrameSink} from './event-stream.js'
import type {LiveSession} from './live-session.js'
import {sessionNotFound} from './registry.js'
import type {WorkspaceRuntime} from './runtime.js'

/** The verbs of the daemon. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The name of a schema in `protocol/http-requests.ts`. */
export type BodyName = keyof typeof requestSchemas

/** One request that has passed the guard, as data. */
export type Call = {
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** A header, by its name in lower case. */
  header(name: string): string | undefined
  /** The body after its schema; `{}` for a route that takes none. */
  readonly body: unknown
  /** The client that asks, when it says so: one token of at most 128 characters. */
  readonly clientId: string | undefined
}

/** The answer to a request. */
export type Reply =
  | {readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>}
  | {readonly text: string; readonly headers: Readonly<Record<string, string>>; readonly status?: number}
  | {
      readonly headers: Readonly<Record<string, string>>
      /** Starts the stream; gives the function to call when the reader has gone. */
      stream(sink: FrameSink): () => void
    }

/** Whom a route acts for (D12, D22). The table test and the documentation read it. */
export type Scope =
  /** The daemon itself. */
  | 'daemon'
  /** A workspace that the request names. */
  | 'workspace'
  /** The live session's owner. */
  | 'owner'
  /** A session of the primary workspace. */
  | 'primary'
  /** Known, and served for no workspace. */
  | 'unsupported'

/** One row of the route table. */
export type Route = {
  readonly method: Method
  /** In the spelling of hono: `/session/:id/events`. */
  readonly path: string
  readonly scope: Scope
  readonly summary: string
  /** The schema of its body; absent when it takes none. */
  readonly body?: BodyName
  run(call: Call, daemon: Daemon): Promise<Reply> | Reply
}

/** What a route of the owner is given. */
export type OwnedCall = {
  readonly call: Call
  readonly daemon: Daemon
  readonly runtime: WorkspaceRuntime
  readonly session: LiveSession
}

type OwnerRoute = Omit<Route, 'scope' | 'run'> & {
  /** Refuse a client id that this session does not know. */
  readonly checksClient?: boolean
  readonly run: (owned: OwnedCall) => Promise<Reply> | Reply
}

const owned = (call: Call, daemon: Daemon): OwnedCall => {
  const text = call.params['id'] ?? ''
  const runtime = daemon.registry.ownerOf(text)
  const id = parseSessionId(text)
  const session = id === undefined ? undefined : runtime.bridge.find(id)
  if (session === undefined) throw sessionNotFound(text)
  session.touch()
  return {call, daemon, runtime, session}
}

/** A route that follows the live session's owner; a miss is a 404, never the primary (D12). */
export const ownerRoute = ({run, checksClient = false, ...route}: OwnerRoute): Route => ({
  ...route,
  scope: 'owner',
  run(call, daemon) {
    const given = owned(call, daemon)
    if (checksClient) given.session.clients.check(call.clientId)
    return run(given)
  },
})

/** A route for a live session of the primary alone (D22). */
export const primaryRoute = ({run, ...route}: Omit<OwnerRoute, 'checksClient'>): Route => ({
  ...route,
  scope: 'primary',
  run(call, daemon) {
    const given = owned(call, daemon)
    if (given.runtime.primary) return run(given)
    throw new JpError('non_primary_session_route_not_supported', 'This is served for the primary workspace only.', {
      details: {sessionId: given.session.id, workspaceId: given.runtime.workspaceId},
    })
  },
})

/** A route that clients may know, and that no workspace serves (D22). */
export const unsupportedRoute = (method: Method, path: string): Route => ({
  method,
  path,
  scope: 'unsupported',
  summary: 'Not served.',
  body: 'nothing',
  run() {
    throw new JpError('not_supported', 'jp serve does not do this.', {
      hint: 'GET /capabilities lists what it does.',
    })
  },
})

/** An answer of JSON. */
export const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 200,
  body,
  headers,
})

/** An answer that says nothing more. */
export const noContent: Reply = {status: 204}
