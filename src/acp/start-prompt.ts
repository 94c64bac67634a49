import type {PromptResponse} from '@agentclientprotocol/sdk'
import {createTurnControl} from '../turn/turn-control.js'
import {type Prompt, runPrompt} from './run-prompt.js'
import {assertIdle} from './session.js'

/**
 * Starts the one prompt that a session may run at a time. Cancelling the request itself cancels the prompt.
 * @throws JpError `session_busy`, and as {@link runPrompt}.
 */
export const startPrompt = async (prompt: Omit<Prompt, 'control'>, signal: AbortSignal): Promise<PromptResponse> => {
  const {session} = prompt
  assertIdle(session)
  const control = createTurnControl()
  const cancel = (): void => control.stop('user')
  signal.addEventListener('abort', cancel, {once: true})
  const running = runPrompt({...prompt, control})
  const ended = running.then(
    () => undefined,
    () => undefined,
  )
  session.running = {control, ended}
  try {
    return await running
  } finally {
    signal.removeEventListener('abort', cancel)
    session.running = undefined
  }
}
