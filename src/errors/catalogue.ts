/**
 * What sort of thing went wrong. Each border turns a kind into its own language once:
 * `cli/exit-codes.ts` into an exit code, the plugin host into an `error` message.
 */
export type ErrorKind =
  | 'failed'
  | 'usage'
  | 'not_found'
  | 'conflict'
  | 'denied'
  | 'unavailable'
  | 'broken_peer'
  | 'corrupt'
  | 'interrupted'

/** Every error code of jp with its kind. The code is the contract; messages and hints may improve any day. */
export const catalogue = {
  internal: 'failed',

  // What the user typed.
  usage: 'usage',
  command_not_found: 'usage',
  answer_required: 'usage',

  // Files and the machine.
  file_unreadable: 'failed',
  file_unwritable: 'failed',
  file_not_found: 'not_found',
  file_refused: 'denied',
  file_corrupt: 'corrupt',
  doctor_found_faults: 'failed',
  disk_full: 'failed',
  output_failed: 'failed',
  child_failed: 'failed',
  interrupted: 'interrupted',
  lock_unavailable: 'failed',
  state_busy: 'conflict',

  // Workspaces.
  workspace_not_found: 'not_found',
  workspace_id_invalid: 'corrupt',
  workspace_exists: 'conflict',
  checkout_ambiguous: 'usage',
  checkout_not_live: 'not_found',
  no_live_checkout: 'not_found',
  workspace_target_ambiguous: 'usage',
  workspace_target_invalid: 'usage',
  selection_cancelled: 'failed',
  session_required: 'usage',
  untrusted_workspace: 'denied',

  // Plugins: choosing and admitting one.
  plugin_not_found: 'not_found',
  plugin_clash: 'conflict',
  plugin_claim_taken: 'conflict',
  plugin_manifest_invalid: 'broken_peer',
  plugin_manifest_missing: 'denied',
  plugin_too_new: 'denied',
  plugin_denied: 'denied',
  plugin_checksum_mismatch: 'denied',
  plugin_approval_required: 'denied',
  plugin_changed: 'denied',
  approvals_unreadable: 'corrupt',

  // Plugins: installing one.
  plugin_source_invalid: 'usage',
  plugin_download_failed: 'unavailable',
  plugin_unauthorised: 'denied',
  plugin_integrity_mismatch: 'denied',
  plugin_archive_invalid: 'broken_peer',
  plugin_install_failed: 'failed',
  plugin_unsuitable: 'denied',
  plugin_store_corrupt: 'corrupt',

  // Plugins: the protocol.
  plugin_misbehaved: 'broken_peer',
  plugin_exited: 'broken_peer',
  request_unknown: 'usage',
  request_invalid: 'usage',
  workspace_required: 'usage',
  workspace_not_allowed: 'usage',
  config_path_unknown: 'not_found',
  turn_not_running: 'not_found',

  // Configuration.
  config_malformed: 'failed',
  config_invalid: 'failed',
  config_key_unknown: 'usage',
  config_value_invalid: 'usage',
  config_changed: 'conflict',
  config_unformatted: 'failed',

  // Conversations.
  conversation_not_found: 'not_found',
  conversation_target_invalid: 'usage',
  conversation_ambiguous: 'usage',
  conversation_corrupt: 'corrupt',
  conversation_too_large: 'failed',
  conversation_locked: 'conflict',
  conversation_archived: 'conflict',
  last_root_mismatch: 'conflict',
  draft_conflict: 'conflict',
  draft_unavailable: 'unavailable',

  // Sessions of editors and of the daemon.
  session_not_found: 'not_found',
  session_busy: 'conflict',
  session_id_conflict: 'conflict',
  workspace_mismatch: 'usage',
  invalid_cursor: 'usage',

  // Turns.
  model_required: 'usage',
  model_unknown: 'usage',
  provider_unknown: 'usage',
  provider_key_missing: 'denied',
  provider_unauthorised: 'denied',
  provider_refused: 'unavailable',
  provider_unreachable: 'unavailable',
  provider_rate_limited: 'unavailable',
  provider_failed: 'unavailable',
  provider_stream_cut: 'unavailable',
  provider_stalled: 'unavailable',
  provider_misbehaved: 'broken_peer',
  mcp_start_failed: 'broken_peer',
  mcp_exited: 'broken_peer',
  mcp_failed: 'broken_peer',
  mcp_checksum_mismatch: 'denied',
  mcp_limit: 'usage',
  tool_denied: 'denied',
  attachment_unavailable: 'not_found',
  not_attached: 'not_found',

  // The daemon: starting it and reaching it.
  workspace_duplicate: 'usage',
  workspace_nested: 'usage',
  port_in_use: 'failed',
  listen_failed: 'failed',
  token_required: 'usage',
  daemon_not_running: 'not_found',
  daemon_ambiguous: 'usage',
  daemon_unreachable: 'unavailable',
  daemon_running: 'conflict',

  // The daemon: what it answers.
  unauthorised: 'denied',
  host_not_allowed: 'denied',
  origin_not_allowed: 'denied',
  route_not_found: 'not_found',
  method_not_allowed: 'usage',
  unsupported_media_type: 'usage',
  body_too_large: 'usage',
  invalid_json: 'usage',
  invalid_request: 'usage',
  unknown_field: 'usage',
  not_supported: 'failed',
  primary_workspace_only: 'usage',
  non_primary_session_route_not_supported: 'usage',
  invalid_client_id: 'usage',
  invalid_session_id: 'usage',
  invalid_session_scope: 'usage',
  invalid_approval_mode: 'usage',
  invalid_deadline_ms: 'usage',
  invalid_option_id: 'usage',
  invalid_max_queued: 'usage',
  invalid_last_event_id: 'usage',
  invalid_archive_state: 'usage',
  invalid_session_view: 'usage',
  invalid_session_group_filter: 'usage',
  invalid_detail: 'usage',
  invalid_format: 'usage',
  group_not_found: 'not_found',
  session_owner_ambiguous: 'failed',
  session_workspace_conflict: 'conflict',
  restore_in_progress: 'conflict',
  restore_not_supported: 'conflict',
  session_limit_exceeded: 'unavailable',
  prompt_queue_full: 'unavailable',
  subscriber_limit_exceeded: 'unavailable',
  permission_not_pending: 'not_found',
  agent_failed: 'broken_peer',
  agent_exited: 'broken_peer',
} as const satisfies Record<string, ErrorKind>

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue
