import {catalogue, type ErrorCode, type ErrorKind} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'

/** An error as it goes out: `{error, code, hint?}` and the subject fields (D23). */
export type Problem = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly error: string
    readonly code: ErrorCode
    readonly hint?: string
    readonly [field: string]: unknown
  }
}

const statusOfKind = {
  usage: 400,
  denied: 403,
  not_found: 404,
  conflict: 409,
  failed: 500,
  corrupt: 500,
  interrupted: 500,
  broken_peer: 502,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>

/** Where HTTP has a word of its own. */
const statusOfCode: Partial<Record<ErrorCode, number>> = {
  unauthorised: 401,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  subscriber_limit_exceeded: 429,
  not_supported: 501,
}

/** When to come again. Unit: seconds. */
const retryAfterSeconds: Partial<Record<ErrorCode, number>> = {
  session_limit_exceeded: 5,
  prompt_queue_full: 5,
  subscriber_limit_exceeded: 5,
  restore_in_progress: 5,
}

/**
 * The codes whose words the daemon chose itself, from what the client sent and `/capabilities` publishes. The words of
 * any other error may hold a path or a value of this machine, so they stay in the log (D26).
 */
const ownWords: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unauthorised',
  'host_not_allowed',
  'origin_not_allowed',
  'route_not_found',
  'method_not_allowed',
  'unsupported_media_type',
  'body_too_large',
  'invalid_json',
  'invalid_request',
  'unknown_field',
  'not_supported',
  'workspace_mismatch',
  'untrusted_workspace',
  'primary_workspace_only',
  'non_primary_session_route_not_supported',
  'invalid_client_id',
  'invalid_session_id',
  'invalid_session_scope',
  'invalid_approval_mode',
  'invalid_deadline_ms',
  'invalid_option_id',
  'invalid_max_queued',
  'invalid_last_event_id',
  'invalid_cursor',
  'invalid_archive_state',
  'invalid_session_view',
  'invalid_session_group_filter',
  'invalid_detail',
  'invalid_format',
  'group_not_found',
  'session_not_found',
  'session_owner_ambiguous',
  'session_workspace_conflict',
  'session_id_conflict',
  'session_busy',
  'conversation_archived',
  'restore_in_progress',
  'restore_not_supported',
  'session_limit_exceeded',
  'prompt_queue_full',
  'subscriber_limit_exceeded',
  'permission_not_pending',
  'agent_failed',
  'agent_exited',
])

const brief: Readonly<Record<ErrorKind, string>> = {
  usage: 'The request can not be served.',
  denied: 'The daemon is not allowed to do this.',
  not_found: 'There is no such thing.',
  conflict: 'It is in use by something else.',
  failed: 'Something went wrong inside the daemon.',
  corrupt: 'What is stored here is damaged.',
  interrupted: 'It was interrupted.',
  broken_peer: 'The agent failed.',
  unavailable: 'Something that the daemon needs is not available.',
}

/** The one table from errors to HTTP. What is no {@link JpError} becomes `internal`. */
export const problemOf = (error: unknown): Problem => {
  const code: ErrorCode = error instanceof JpError ? error.code : 'internal'
  const status = statusOfCode[code] ?? statusOfKind[catalogue[code]]
  const retryAfter = retryAfterSeconds[code]
  const headers = {
    ...(retryAfter === undefined ? {} : {'retry-after': String(retryAfter)}),
    ...(code === 'unauthorised' ? {'www-authenticate': 'Bearer realm="jp"'} : {}),
    ...(code === 'origin_not_allowed' ? {vary: 'Origin'} : {}),
  }
  if (!(error instanceof JpError) || !ownWords.has(code)) {
    return {status, headers, body: {error: brief[catalogue[code]], code, hint: 'The log of the daemon says more.'}}
  }
  return {
    status,
    headers: {...headers, ...(typeof error.details['allow'] === 'string' ? {allow: error.details['allow']} : {})},
    body: {
      error: error.message,
      code,
      ...(error.hint === undefined ? {} : {hint: error.hint}),
      ...error.details,
    },
  }
}
