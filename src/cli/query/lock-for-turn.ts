import {durationMs} from '../../config/duration.js'
import type {Configuration} from '../../config/schema.js'
import type {LockedConversation} from '../../conversation/locked-conversation.js'
import {hasCode} from '../../errors/jp-error.js'
import {variable} from '../../platform/host-environment.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import {onSignal} from '../../platform/signals.js'
import {turnConfiguration} from '../../turn/turn-configuration.js'
import {type LockAnswer, lockPatiently} from './lock-wait.js'
import type {QueryScene} from './query-scene.js'

/** Locks a conversation for a turn (W19): at once when it is free, else patiently. */
export const lockForTurn = async (scene: QueryScene, id: ConversationId): Promise<LockAnswer> => {
  try {
    return {kind: 'held', conversation: scene.store.lock(id)}
  } catch (error) {
    if (!hasCode(error, 'conversation_locked')) throw error
  }
  const {config} = await turnConfiguration(scene.place, undefined, [])
  return waitForLock(scene, id, config.style.lock_wait)
}

const waitForLock = async (
  scene: QueryScene,
  id: ConversationId,
  settings: Configuration['style']['lock_wait'],
): Promise<LockAnswer> => {
  const {output, prompter, environment} = scene.invocation
  const override = variable(environment, 'JP_LOCK_DURATION')
  const interrupted = new AbortController()
  const stopListening = onSignal('SIGINT', () => interrupted.abort())
  try {
    return await lockPatiently(id, {
      store: scene.store,
      prompter,
      note: (text) => output.note(text),
      timeoutMs: override === undefined ? settings.timeout_secs * 1000 : durationMs(override),
      tellAfterMs: settings.show ? settings.delay_secs * 1000 : Number.POSITIVE_INFINITY,
      signal: interrupted.signal,
    })
  } finally {
    stopListening()
  }
}

/** The notice of a conversation that comes from another checkout (W23, S28); undefined when there is nothing to say. */
export const elsewhereNotice = (conversation: LockedConversation, root: string): string | undefined => {
  const last = conversation.lastRoot()
  return last === undefined || last.path === root ? undefined : `last ran in ${last.path}; running in ${root}`
}
