import {rfc3339} from '../platform/clock.js'
import type {LiveSession} from './live-session.js'
import type {WorkspaceRuntime} from './runtime.js'

/** A session as `status` and lists give it (facts 7). */
export const statusOf = (session: LiveSession, runtime: WorkspaceRuntime) => {
  const {turns, permissions} = session
  const {lastFailure, running} = turns
  const pendingInteractions = permissions.pending.map(({requestId, createdAtMs, toolCall, options}) => ({
    requestId,
    kind: 'permission',
    createdAt: rfc3339(createdAtMs),
    action: {
      type: toolCall['kind'],
      title: toolCall['title'],
      content: toolCall['content'],
      locations: toolCall['locations'],
      input: toolCall['rawInput'],
    },
    options: options.map(({optionId, name, kind}) => ({optionId, label: name, kind})),
  }))
  return {
    sessionId: session.id,
    workspaceCwd: runtime.workspaceCwd,
    createdAt: rfc3339(session.createdAtMs),
    updatedAt: rfc3339(session.updatedAtMs),
    ...(session.facts.title === undefined ? {} : {displayName: session.facts.title}),
    clientCount: session.clients.count,
    hasActivePrompt: running !== undefined,
    activeWorkState: running === undefined ? 'idle' : 'active',
    hasRunningBackgroundTasks: false,
    isWaitingForPermission: pendingInteractions.length > 0,
    isWaitingForUserQuestion: false,
    pendingInteractionCount: pendingInteractions.length,
    hasTurnError: lastFailure !== undefined,
    ...(lastFailure === undefined ? {} : {turnError: lastFailure}),
    pendingInteractions,
  }
}

/** What the agent said of models, modes and options. */
export const stateOf = ({facts}: LiveSession) => {
  const {modes, models, configOptions} = facts.state
  return {
    ...(models ? {models} : {}),
    ...(modes ? {modes} : {}),
    configOptions: configOptions ?? [],
  }
}

const head = (session: LiveSession, runtime: WorkspaceRuntime) =>
  ({v: 1, sessionId: session.id, workspaceCwd: runtime.workspaceCwd}) as const

/** `GET …/context`. */
export const contextOf = (session: LiveSession, runtime: WorkspaceRuntime) => ({
  ...head(session, runtime),
  recovery: {kind: 'clean', canContinue: false},
  state: stateOf(session),
})

/** `GET …/context-usage`: what the agent reports; what it does not report is 0, and said to be an estimate. */
export const contextUsageOf = (session: LiveSession, runtime: WorkspaceRuntime, showDetails: boolean) => {
  const {contextUsed = 0, contextSize = 0, currentModelId} = session.facts
  const freeSpace = Math.max(0, contextSize - contextUsed)
  const model = currentModelId ?? 'unknown'
  return {
    ...head(session, runtime),
    usage: {
      modelName: model,
      totalTokens: contextUsed,
      contextWindowSize: contextSize,
      breakdown: {
        systemPrompt: 0,
        builtinTools: 0,
        mcpTools: 0,
        memoryFiles: 0,
        skills: 0,
        messages: contextUsed,
        freeSpace,
        autocompactBuffer: 0,
      },
      builtinTools: [],
      mcpTools: [],
      memoryFiles: [],
      skills: [],
      isEstimated: session.facts.contextUsed === undefined,
      showDetails,
    },
    formattedText: `**${model}**: ${contextUsed} of ${contextSize} tokens\n`,
  }
}

/** `GET …/stats`. */
export const statsOf = (session: LiveSession, runtime: WorkspaceRuntime, nowMs: number) => {
  const {facts} = session
  const counts = Object.values(facts.tools)
  const sum = (part: 'count' | 'success' | 'fail' | 'durationMs'): number =>
    counts.reduce((total, count) => total + count[part], 0)
  const tokens = (name: string): number => facts.tokens[name] ?? 0
  const models = {
    [facts.currentModelId ?? 'unknown']: {
      api: {totalRequests: session.promptCount, totalErrors: session.agentErrors, totalLatencyMs: session.agentMs},
      tokens: {
        prompt: tokens('inputTokens'),
        candidates: tokens('outputTokens'),
        total: tokens('totalTokens'),
        cached: tokens('cachedReadTokens'),
        thoughts: tokens('thoughtTokens'),
      },
    },
  }
  return {
    ...head(session, runtime),
    sessionStartTimeMs: session.createdAtMs,
    durationMs: nowMs - session.createdAtMs,
    promptCount: session.promptCount,
    models: session.promptCount === 0 ? {} : models,
    tools: {
      totalCalls: sum('count'),
      totalSuccess: sum('success'),
      totalFail: sum('fail'),
      totalDurationMs: sum('durationMs'),
      byName: facts.tools,
    },
    files: {totalLinesAdded: 0, totalLinesRemoved: 0},
    skills: {},
  }
}

/** `GET …/supported-commands`. */
export const commandsOf = (session: LiveSession) => ({
  v: 1,
  sessionId: session.id,
  availableCommands: session.facts.commands,
  availableSkills: [],
  workflowsEnabled: false,
  workflowToolFeatures: [],
  savedWorkflows: [],
})

/** `GET …/tasks`: jp runs nothing in the background of a session. */
export const tasksOf = (session: LiveSession, nowMs: number) => ({
  v: 1,
  sessionId: session.id,
  now: nowMs,
  tasks: [],
})

/** `GET …/lsp`: jp has no language servers. */
export const lspOf = (session: LiveSession, runtime: WorkspaceRuntime) => ({
  ...head(session, runtime),
  enabled: false,
  configuredServers: 0,
  readyServers: 0,
  failedServers: 0,
  inProgressServers: 0,
  notStartedServers: 0,
  servers: [],
})

/** `GET …/hooks`: jp has none. */
export const hooksOf = (session: LiveSession, runtime: WorkspaceRuntime) => ({
  ...head(session, runtime),
  disabled: false,
  hooks: [],
})

/** `GET …/artifacts`: jp keeps none. */
export const artifactsOf = (session: LiveSession, nowMs: number) => ({
  v: 1,
  sessionId: session.id,
  artifacts: [],
  generatedAt: rfc3339(nowMs),
  limits: {maxArtifacts: 0},
})
