import type {SessionId} from '../conversation/session-id.js'
import type {PendingPermission} from './permissions.js'
import type {QueuedPrompt} from './prompt-queue.js'
import type {EventAbout} from './session-event.js'
import type {SessionLog} from './session-log.js'

/** How a turn failed, as clients may read it. */
export type TurnFailure = {readonly message: string; readonly code?: string; readonly last_root?: unknown}

/** How a turn ended: by a stop reason of ACP, or by a failure. */
export type TurnOutcome = {readonly stopReason: string} | {readonly failure: TurnFailure}

/** When a turn was asked to stop. Unit: milliseconds. */
export type Cancelled = {readonly cancelledAtMs: number; readonly elapsedMs: number}

/** The events of a session's prompts, in the words of the wire (facts 5). */
export interface TurnTeller {
  /** It has to wait. */
  added(prompt: QueuedPrompt): void
  /** It has waited. */
  started(prompt: QueuedPrompt): void
  /** What the user said, for every reader. */
  echo(prompt: QueuedPrompt): void
  withdrawn(prompt: QueuedPrompt, requests: readonly PendingPermission[]): void
  /** One that had to wait is pending no longer: its turn has run. */
  completed(prompt: QueuedPrompt): void
  /** The one end of a turn: `prompt_cancelled` stands only before a turn that ends as cancelled. */
  ended(prompt: QueuedPrompt, outcome: TurnOutcome, cancelled: Cancelled): void
  /** A prompt that never ran has an end too: who waits for it must learn of it. */
  dropped(prompt: QueuedPrompt, failure: TurnFailure | undefined): void
}

const about = ({promptId, clientId}: QueuedPrompt): EventAbout => ({promptId, originatorClientId: clientId})

/** Creates the teller of one session. */
export const createTurnTeller = (sessionId: SessionId, log: SessionLog): TurnTeller => {
  const tell = (type: string, prompt: QueuedPrompt, data: Readonly<Record<string, unknown>>): void =>
    void log.emit(type, {sessionId, promptId: prompt.promptId, ...data}, about(prompt))
  return {
    added: (prompt) => tell('pending_prompt_added', prompt, {text: prompt.text, queuedAt: prompt.queuedAtMs}),
    started: (prompt) => tell('pending_prompt_started', prompt, {}),
    echo(prompt) {
      for (const content of prompt.blocks) {
        const update = {sessionUpdate: 'user_message_chunk', content, _meta: {source: 'bridge-echo'}}
        log.emit('session_update', {sessionId, update}, about(prompt))
      }
    },
    withdrawn(prompt, requests) {
      for (const {requestId} of requests) {
        log.emit('permission_resolved', {requestId, sessionId, outcome: {outcome: 'cancelled'}}, about(prompt))
      }
    },
    completed: (prompt) => tell('pending_prompt_completed', prompt, {state: 'completed'}),
    ended(prompt, outcome, {cancelledAtMs, elapsedMs}) {
      if ('failure' in outcome) return tell('turn_error', prompt, outcome.failure)
      const {stopReason} = outcome
      if (stopReason !== 'cancelled') return tell('turn_complete', prompt, {stopReason})
      tell('prompt_cancelled', prompt, {})
      tell('turn_complete', prompt, {stopReason, promptCancelled: {cancelledAt: cancelledAtMs, elapsedMs}})
    },
    dropped(prompt, failure) {
      tell('pending_prompt_completed', prompt, {state: 'removed'})
      if (failure === undefined) tell('turn_complete', prompt, {stopReason: 'cancelled'})
      else tell('turn_error', prompt, failure)
    },
  }
}
