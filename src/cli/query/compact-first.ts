import {compactionEvents, planCompactions} from '../../turn/compact-turns.js'
import type {PreparedTurn} from '../../turn/prepare-turn.js'
import {rulesOfSpec} from '../compact-flags.js'
import {interruptible} from '../interruptible.js'
import type {OpenedConversation} from './open-for-turn.js'
import type {QueryScene} from './query-scene.js'

/**
 * Makes the conversation shorter before its turn, as `--compact` says (facts 9.1).
 * @throws JpError `usage`, `config_value_invalid`, those of a model that sums up.
 */
export const compactFirst = async (
  {invocation, place}: QueryScene,
  {conversation, isNew}: OpenedConversation,
  {spec, prepared}: {readonly spec: string; readonly prepared: PreparedTurn},
): Promise<void> => {
  const {output, clock} = invocation
  const {config} = prepared
  const rules = rulesOfSpec(spec, config)
  if (isNew) return
  const events = conversation.read().events
  const planned = planCompactions(events, rules, clock.nowMs())
  const made = await interruptible('Interrupted: nothing was compacted, and nothing was sent.', (signal) =>
    compactionEvents(events, planned, {
      place,
      config: () => Promise.resolve(config),
      onRetry: ({reason}) => output.note(reason),
      signal,
    }),
  )
  if (made.length > 0) conversation.append(made)
  for (const {from_turn: from, to_turn: to} of made) output.note(`Compacted turns ${from + 1} to ${to + 1}.`)
}
