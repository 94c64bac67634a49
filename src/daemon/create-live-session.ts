import type {SessionId} from '../conversation/session-id.js'
import type {Clock} from '../platform/clock.js'
import type {AgentSessionState} from '../protocol/agent-replies.js'
import type {AgentLink} from './agent/agent-link.js'
import {told} from './agent/told.js'
import type {LiveSession, SessionLimits} from './live-session.js'
import {createPermissions} from './permissions.js'
import {type ContentBlock, textOf} from './prompt-queue.js'
import {createSessionClients} from './session-clients.js'
import {createSessionFacts, optionOf} from './session-facts.js'
import {createSessionLog} from './session-log.js'
import {snapshotOf, waitingFor} from './session-openings.js'
import {createSessionTurns} from './session-turns.js'
import type {TurnFailure} from './turn-teller.js'

/** What a session stands on. */
export type LiveSessionDeps = {
  readonly id: SessionId
  readonly agentSessionId: string
  readonly agent: AgentLink
  readonly state: AgentSessionState
  /** It begins here, or its history will be told: its events will be all there is of it. */
  readonly isWhole: boolean
  readonly clock: Clock
  readonly limits: SessionLimits
  readonly newId: () => string
  readonly tellable: (error: unknown) => TurnFailure
  /** Its last client has gone and it is idle. */
  readonly onAbandoned: () => void
  /** A prompt was taken: the session has something to be remembered by. */
  readonly onPrompt: (text: string) => void
}

/** Creates the session around what the agent made. */
export const createLiveSession = (deps: LiveSessionDeps): LiveSession => {
  const {id, agent, agentSessionId, clock, limits} = deps
  const log = createSessionLog({
    sessionId: id,
    clock,
    epoch: deps.newId(),
    bounds: limits.ring,
    maxReaders: limits.maxReaders,
    heartbeatMs: limits.heartbeatMs,
  })
  const facts = createSessionFacts(deps.state)
  const clients = createSessionClients(id, () => `client_${deps.newId()}`)
  const permissions = createPermissions(id)
  const createdAtMs = clock.nowMs()
  let updatedAtMs = createdAtMs
  let promptCount = 0
  let agentErrors = 0
  let agentMs = 0
  let isAbandoned = false
  const tellably = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      throw told(error, deps.tellable)
    })
  const touch = (): void => {
    updatedAtMs = clock.nowMs()
  }
  const turns = createSessionTurns({
    sessionId: id,
    log,
    permissions,
    clock,
    newId: deps.newId,
    tellable: deps.tellable,
    maxPending: limits.maxPendingPrompts,
    cancelGraceMs: limits.cancelGraceMs,
    answerMs: limits.answerMs,
    prompt: async (blocks: readonly ContentBlock[]) => {
      const startedMs = clock.nowMs()
      try {
        const end = await agent.prompt(agentSessionId, blocks)
        facts.addUsage(end.usage)
        return end
      } catch (error) {
        agentErrors += 1
        throw error
      } finally {
        agentMs += clock.nowMs() - startedMs
      }
    },
    cancelAgent: () => agent.cancel(agentSessionId),
    onIdle: () => {
      touch()
      if (isAbandoned) deps.onAbandoned()
    },
  })
  return {
    id,
    agentSessionId,
    createdAtMs,
    clients,
    permissions,
    facts,
    epoch: log.epoch,
    turns,
    get updatedAtMs() {
      return updatedAtMs
    },
    get promptCount() {
      return promptCount
    },
    get agentErrors() {
      return agentErrors
    },
    get agentMs() {
      return agentMs
    },
    get lastEventId() {
      return log.lastEventId
    },
    get readers() {
      return log.readers
    },
    touch,
    attach() {
      isAbandoned = false
      touch()
      return clients.attach()
    },
    submit(request) {
      const accepted = turns.submit(request)
      promptCount += 1
      touch()
      deps.onPrompt(textOf(request.blocks))
      return accepted
    },
    update(update) {
      facts.observe(update, clock.nowMs())
      // The daemon has told what the user said already, at once and for every reader.
      const isEcho = update.sessionUpdate === 'user_message_chunk' && turns.activePromptId !== undefined
      if (!isEcho) log.emit('session_update', {sessionId: id, update}, {promptId: turns.activePromptId})
    },
    ask(request) {
      const requestId = deps.newId()
      const about = {promptId: turns.activePromptId}
      const eventId = log.emit('permission_request', {requestId, sessionId: id, ...request}, about)
      return permissions.ask({requestId, ...request, createdAtMs: clock.nowMs(), eventId})
    },
    vote(requestId, outcome, clientId) {
      permissions.answer(requestId, outcome)
      const voter = clientId === undefined ? {} : {voterClientId: clientId}
      log.emit('permission_resolved', {requestId, sessionId: id, outcome, ...voter}, {promptId: turns.activePromptId})
    },
    read(sink, from, snapshot) {
      touch()
      const {lastEventId} = from
      return log.read(sink, from, (servedFromId) => [
        ...(snapshot ? [snapshotOf(id, facts)] : []),
        ...waitingFor(permissions, id, {servedFromId, lastEventId}),
      ])
    },
    events: () => log.events(),
    history() {
      const events = log.events()
      const isAll = deps.isWhole && (events[0]?.id ?? 1) === 1
      return isAll ? events : undefined
    },
    async setMode(modeId) {
      const previous = facts.currentModeId ?? null
      await tellably(agent.setMode(agentSessionId, modeId))
      facts.observe({sessionUpdate: 'current_mode_update', currentModeId: modeId}, clock.nowMs())
      log.emit('approval_mode_changed', {sessionId: id, previous, next: modeId, persisted: false})
    },
    async setModel(modelId) {
      await tellably(agent.setOption(agentSessionId, optionOf(facts.state, 'model')?.id ?? 'model', modelId))
      log.emit('model_switched', {sessionId: id, modelId})
    },
    emit: (type, data) => void log.emit(type, {sessionId: id, ...data}),
    detach(clientId) {
      if (!clients.detach(clientId)) return
      isAbandoned = true
      if (turns.running === undefined) deps.onAbandoned()
    },
    async end(end) {
      if (end.type === 'session_died' && end.reason === 'channel_closed') {
        turns.fail({message: 'The agent process ended.', code: 'agent_exited'})
      } else await turns.close()
      // Asked by an agent outside of any turn.
      for (const {requestId} of permissions.cancelAll()) {
        log.emit('permission_resolved', {requestId, sessionId: id, outcome: {outcome: 'cancelled'}})
      }
      const {type, ...data} = end
      log.emit(type, {sessionId: id, ...data})
      log.end()
    },
  }
}
