import type {PromptResponse} from '@agentclientprotocol/sdk'
import {createTurnControl} from '../turn/turn-control.js'
import type {Prompt} from './run-prompt.js'
import {assertIdle} from './session.js'

/**
 * Starts the one prompt that a session may run at a time. Cancelling the request itself cancels the prompt.
 * @throws JpError `session_busy`, and as `runPrompt`.
 */
export const startPrompt = async (prompt: Omit<Prompt, 'control'>, signal: AbortSignal): Promise<PromptResponse> => {
  const {session} = prompt
  assertIdle(session)
  const control = createTurnControl()
  const cancel = (): void => control.stop('user')
  signal.addEventListener('abort', cancel, {once: true})
  // What runs turns is loaded with the first of them: many an agent waits for one in vain.
  const running = import('./run-prompt.js').then(({runPrompt}) => runPrompt({...prompt, control}))
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
