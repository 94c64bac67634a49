import type {
  AgentContext,
  ClientCapabilities,
  PermissionOption,
  SessionUpdate,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import {JpError} from '../errors/jp-error.js'

/** The client, as one session speaks to it. */
export interface ClientPort {
  readonly capabilities: ClientCapabilities
  /** Settles when it is written; does nothing once the client is gone. */
  update(update: SessionUpdate): Promise<void>
  /**
   * Asks the user. The id of the chosen option; undefined when the client took the question back.
   * @throws JpError `interrupted` when `signal` was aborted first (FR-53), or when the client is gone.
   */
  ask(toolCall: ToolCallUpdate, options: readonly PermissionOption[], signal: AbortSignal): Promise<string | undefined>
  /** Any other request of the protocol. */
  readonly context: AgentContext
  readonly sessionId: string
}

/** Creates the port of one session. */
export const createClientPort = (
  context: AgentContext,
  capabilities: ClientCapabilities,
  sessionId: string,
): ClientPort => ({
  capabilities,
  context,
  sessionId,
  async update(update) {
    try {
      await context.notify('session/update', {sessionId, update})
    } catch {
      // The connection is gone; the turn is being stopped for that very reason.
    }
  },
  async ask(toolCall, options, signal) {
    const {outcome} = await interruptible(
      context.request(
        'session/request_permission',
        {sessionId, toolCall, options: [...options]},
        {cancellationSignal: signal},
      ),
      signal,
    )
    return outcome.outcome === 'selected' ? outcome.optionId : undefined
  },
})

/**
 * Waits for an answer no longer than the signal allows: a client that never answers holds nothing up, and one that
 * answers late does no harm (FR-53).
 * @throws JpError `interrupted`.
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
