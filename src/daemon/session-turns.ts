import type {SessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import type {AgentTurnEnd} from './agent/agent-link.js'
import {inTime} from './agent/in-time.js'
import type {Permissions} from './permissions.js'
import {
  type ContentBlock,
  createPromptQueue,
  type PromptAccepted,
  type PromptRequest,
  type QueuedPrompt,
  textOf,
} from './prompt-queue.js'
import type {SessionLog} from './session-log.js'
import {createTurnTeller, type TurnFailure, type TurnOutcome} from './turn-teller.js'

/** The turns of one session, one after the other (D17, D29). */
export interface SessionTurns {
  readonly running: QueuedPrompt | undefined
  readonly waiting: readonly QueuedPrompt[]
  /** The prompt that the agent is at work on: what it says now belongs to it. */
  readonly activePromptId: string | undefined
  readonly lastFailure: TurnFailure | undefined
  /** @throws JpError `prompt_queue_full`. */
  submit(request: PromptRequest): PromptAccepted
  /** Takes a waiting prompt out, or cancels the running one; gives whether there was one. */
  remove(promptId: string): boolean
  /** Stops the running turn; what it produced stays. Without one, or a second time, nothing happens. */
  cancel(): void
  /** Cancels the running turn and starts nothing that waits. Settles when the turn has ended. */
  close(): Promise<void>
  /** The agent is gone: every prompt ends with this failure. */
  fail(failure: TurnFailure): void
}

/** What turns stand on. */
export type SessionTurnsDeps = {
  readonly sessionId: SessionId
  readonly log: SessionLog
  readonly permissions: Permissions
  readonly clock: Clock
  readonly maxPending: number
  /** How long an agent may take to end a turn that was cancelled. Unit: milliseconds. */
  readonly cancelGraceMs: number
  /** How long a prompt waits for an agent that overran the turn before. Unit: milliseconds. */
  readonly answerMs: number
  newId(): string
  prompt(blocks: readonly ContentBlock[]): Promise<AgentTurnEnd>
  /** Asks the agent to stop; its answer to the prompt follows. */
  cancelAgent(): void
  /** A failure as clients may read it (D26). */
  tellable(error: unknown): TurnFailure
  /** A turn has ended and no other waits. */
  onIdle(): void
}

type Running = {
  readonly prompt: QueuedPrompt
  /** Others ran before it. */
  readonly hasWaited: boolean
  readonly startedAtMs: number
  isSent: boolean
  /** It has had its end; a later answer of the agent changes nothing. */
  hasEnded: boolean
  cancelledAtMs?: number
  timer?: NodeJS.Timeout
}

/** Creates the turns of a session that has had none. */
export const createSessionTurns = (deps: SessionTurnsDeps): SessionTurns => {
  const {log, permissions, clock, sessionId} = deps
  const queue = createPromptQueue(sessionId, deps.maxPending)
  const teller = createTurnTeller(sessionId, log)
  let turn: Running | undefined
  /** Settles when the agent is done with what it was sent last. */
  let agentBusy: Promise<unknown> = Promise.resolve()
  let lastFailure: TurnFailure | undefined
  let isClosed = false
  let settled: () => void = () => undefined

  /** The one place where a turn ends. */
  const end = (running: Running, outcome: TurnOutcome): void => {
    if (running.hasEnded) return
    running.hasEnded = true
    clearTimeout(running.timer)
    const cancelledAtMs = running.cancelledAtMs ?? clock.nowMs()
    teller.withdrawn(running.prompt, permissions.cancelAll())
    // Before the end of the turn, with which its readers stop reading.
    if (running.hasWaited) teller.completed(running.prompt)
    teller.ended(running.prompt, outcome, {cancelledAtMs, elapsedMs: cancelledAtMs - running.startedAtMs})
    if ('failure' in outcome) lastFailure = outcome.failure
    queue.finish()
    turn = undefined
    settled()
    if (!startNext()) deps.onIdle()
  }

  const run = async (running: Running): Promise<void> => {
    try {
      // An agent that overran its last turn takes one prompt at a time all the same.
      await inTime(agentBusy, deps)
      if (running.hasEnded) return
      running.isSent = true
      const answer = deps.prompt(running.prompt.blocks)
      agentBusy = answer.catch(() => undefined)
      const {stopReason} = await answer
      end(running, {stopReason})
    } catch (error) {
      end(running, running.cancelledAtMs === undefined ? {failure: deps.tellable(error)} : {stopReason: 'cancelled'})
    }
  }

  const startNext = (hasWaited = true): boolean => {
    const prompt = isClosed ? undefined : queue.startNext()
    if (prompt === undefined) return false
    const running: Running = {prompt, hasWaited, startedAtMs: clock.nowMs(), isSent: false, hasEnded: false}
    turn = running
    lastFailure = undefined
    if (hasWaited) teller.started(prompt)
    teller.echo(prompt)
    if (prompt.deadlineMs !== undefined) running.timer = setTimeout(() => expire(running), prompt.deadlineMs)
    void run(running)
    return true
  }

  const expire = (running: Running): void => {
    const message = `prompt exceeded the ${running.prompt.deadlineMs}ms deadline`
    if (running.isSent) deps.cancelAgent()
    end(running, {failure: {message, code: 'prompt_deadline_exceeded'}})
  }

  const cancel = (): void => {
    const running = turn
    if (running === undefined || running.cancelledAtMs !== undefined) return
    running.cancelledAtMs = clock.nowMs()
    // What the agent has not got, it shall not get.
    if (!running.isSent) return end(running, {stopReason: 'cancelled'})
    deps.cancelAgent()
    // The agent may wait for an answer to what it asked; a late one would be worth nothing.
    teller.withdrawn(running.prompt, permissions.cancelAll())
    clearTimeout(running.timer)
    running.timer = setTimeout(() => end(running, {stopReason: 'cancelled'}), deps.cancelGraceMs)
  }

  return {
    get running() {
      return queue.running
    },
    get waiting() {
      return queue.waiting
    },
    get activePromptId() {
      return turn?.isSent === true ? turn.prompt.promptId : undefined
    },
    get lastFailure() {
      return lastFailure
    },
    submit({blocks, clientId, deadlineMs}) {
      if (isClosed) throw new JpError('session_not_found', 'The session is closing.', {details: {sessionId}})
      const promptId = deps.newId()
      const prompt = {promptId, blocks, text: textOf(blocks), queuedAtMs: clock.nowMs(), clientId, deadlineMs}
      const lastEventId = log.lastEventId
      queue.add(prompt)
      if (!startNext(false)) teller.added(prompt)
      return {promptId, lastEventId, eventEpoch: log.epoch}
    },
    remove(promptId) {
      if (turn?.prompt.promptId === promptId) {
        cancel()
        return true
      }
      const removed = queue.remove(promptId)
      if (removed !== undefined) teller.dropped(removed, undefined)
      return removed !== undefined
    },
    cancel,
    close() {
      isClosed = true
      for (const prompt of queue.clear()) teller.dropped(prompt, undefined)
      if (turn === undefined) return Promise.resolve()
      const done = new Promise<void>((resolve) => {
        settled = resolve
      })
      cancel()
      return done
    },
    fail(failure) {
      isClosed = true
      const waiting = queue.clear()
      if (turn !== undefined) end(turn, {failure})
      for (const prompt of waiting) teller.dropped(prompt, failure)
    },
  }
}
