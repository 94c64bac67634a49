import {rfc3339} from '../platform/clock.js'
import type {Daemon} from './daemon.js'
import {publishedRuntime} from './runtime.js'

/** What works, by the tags of the contract. A tag stands here only when the thing works (D20). */
const features = [
  'health',
  'daemon_status',
  'capabilities',
  'session_create',
  'session_id_override',
  'session_scope_override',
  'session_load',
  'session_resume',
  'session_list',
  'session_prompt',
  'non_blocking_prompt',
  'session_cancel',
  'session_events',
  'typed_event_schema',
  'slow_client_warning',
  'client_identity',
  'client_heartbeat',
  'session_permission_vote',
  'permission_vote',
  'session_context',
  'session_context_usage',
  'session_supported_commands',
  'session_tasks',
  'session_stats',
  'session_lsp',
  'session_hooks',
  'session_status',
  'session_close',
  'session_artifacts',
] as const

/** The limits that hold for every session. */
const sessionLimits = ({limits}: Daemon) => ({
  maxPendingPromptsPerSession: limits.maxPendingPrompts,
  sessionRestoreTimeoutMs: limits.answerMs,
  maxSubscribersPerSession: limits.maxReaders,
  eventRingSize: limits.ring.maxFrames,
})

/** `GET /capabilities`: with one workspace as a single-workspace daemon always was; with several, more (D20). */
export const capabilitiesOf = (daemon: Daemon) => {
  const {registry, admission, security} = daemon
  const isMulti = registry.runtimes.length > 1
  return {
    v: 1,
    protocolVersions: {current: 'v1', supported: ['v1']},
    jpVersion: daemon.version,
    mode: 'http-bridge',
    features: [
      ...features,
      ...(isMulti ? ['multi_workspace_sessions'] : []),
      ...(security.requireAuth ? ['require_auth'] : []),
    ],
    modelServices: [],
    workspaceCwd: registry.primary.workspaceCwd,
    transports: ['rest'],
    policy: {permission: 'first-responder'},
    limits: {
      ...sessionLimits(daemon),
      ...(isMulti
        ? {maxSessionsPerWorkspace: admission.caps.perWorkspace ?? null, maxTotalSessions: admission.caps.total ?? null}
        : {}),
    },
    ...(isMulti ? {workspaces: registry.runtimes.map(publishedRuntime)} : {}),
  }
}

/** `GET /daemon/status`: counters over all runtimes; the sections of a workspace for the primary alone (D21). */
export const daemonStatusOf = (daemon: Daemon, detail: 'summary' | 'full') => {
  const {registry, admission, clock} = daemon
  const sessions = registry.runtimes.flatMap(({bridge}) => bridge.sessions)
  const sum = (of: (session: (typeof sessions)[number]) => number): number =>
    sessions.reduce((total, session) => total + of(session), 0)
  const nowMs = clock.nowMs()
  return {
    v: 1,
    detail,
    generatedAt: rfc3339(nowMs),
    status: 'ok',
    issues: [],
    daemon: {
      pid: daemon.pid,
      version: daemon.version,
      url: daemon.url(),
      uptimeMs: nowMs - daemon.startedAtMs,
      startedAt: rfc3339(daemon.startedAtMs),
      workspaceCwd: registry.primary.workspaceCwd,
    },
    security: daemon.security,
    limits: {
      ...sessionLimits(daemon),
      maxSessions: admission.caps.perWorkspace ?? null,
      maxTotalSessions: admission.caps.total ?? null,
    },
    workspaces: registry.runtimes.map(publishedRuntime),
    runtime: {
      sessions: {
        active: sessions.length,
        admissionInFlight: Math.max(0, admission.taken() - sessions.length),
        taken: admission.taken(),
      },
      agents: {running: registry.runtimes.filter(({bridge}) => bridge.agentPid !== undefined).length},
      permissions: {pending: sum(({permissions}) => permissions.pending.length)},
      transport: {restSseActive: sum(({readers}) => readers)},
      activity: {
        activePrompts: sum(({turns}) => (turns.running === undefined ? 0 : 1)),
        queuedPrompts: sum(({turns}) => turns.waiting.length),
      },
      memory: daemon.memory(),
    },
    ...(detail === 'full' ? {full: fullOf(daemon)} : {}),
  }
}

const fullOf = ({registry: {primary}}: Daemon) => ({
  workspace: {
    ...publishedRuntime(primary),
    envSource: primary.env.source,
    agentPid: primary.bridge.agentPid ?? null,
    sessions: primary.bridge.sessions.map((session) => ({
      sessionId: session.id,
      clientCount: session.clients.count,
      readers: session.readers,
      lastEventId: session.lastEventId,
      hasActivePrompt: session.turns.running !== undefined,
    })),
  },
})
