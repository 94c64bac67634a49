import type {
  AgentContext,
  ClientCapabilities,
  PermissionOption,
  RequestPermissionRequest,
  SessionUpdate,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import {JpError} from '../errors/jp-error.js'

/** The client, as one session speaks to it. */
export interface ClientPort {
  readonly capabilities: ClientCapabilities
  readonly sessionId: string
  /** Every other request of the protocol. */
  readonly context: AgentContext
  /** Settles when it is written; does nothing once the client is gone. */
  update(update: SessionUpdate): Promise<void>
}

/** Creates the port of one session. */
export const createClientPort = (
  context: AgentContext,
  capabilities: ClientCapabilities,
  sessionId: string,
): ClientPort => ({
  capabilities,
  sessionId,
  context,
  async update(update) {
    try {
      await context.notify('session/update', {sessionId, update})
    } catch {
      // The connection is gone; the turn is being stopped for that very reason.
    }
  },
})

/** A question with a few answers. */
export type ClientChoice = {readonly toolCall: ToolCallUpdate; readonly options: readonly PermissionOption[]}

/**
 * Asks the client's user through a permission request; gives the id of the option.
 * @throws JpError `interrupted` when `signal` was aborted first (FR-53), the client took the question back, or is gone.
 */
export const choiceOf = async (
  {context, sessionId}: ClientPort,
  {toolCall, options}: ClientChoice,
  signal: AbortSignal,
): Promise<string> => {
  const params: RequestPermissionRequest = {sessionId, toolCall, options: [...options]}
  const answer = context.request('session/request_permission', params, {cancellationSignal: signal})
  const {outcome} = await interruptible(answer, signal)
  if (outcome.outcome === 'selected') return outcome.optionId
  throw new JpError('interrupted', 'The question was taken back.')
}

/**
 * Waits for an answer no longer than the signal allows: a client that never answers holds nothing up, and one that
 * answers late does no harm (FR-53).
 * @throws JpError `interrupted`; its cause is the client's own error when it gave one.
 */
export const interruptible = <Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const interrupt = (): void => reject(new JpError('interrupted', 'The question was taken back.'))
    signal.addEventListener('abort', interrupt, {once: true})
    if (signal.aborted) interrupt()
    answer
      .then(resolve, (error: unknown) => {
        reject(new JpError('interrupted', 'The client gave no answer.', {cause: error}))
      })
      .finally(() => signal.removeEventListener('abort', interrupt))
  })
