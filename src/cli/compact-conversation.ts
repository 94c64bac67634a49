import type {ExecutionContext} from '../bootstrap/execution-context.js'
import type {Configuration} from '../config/schema.js'
import type {ConversationStore} from '../conversation/store.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {type CompactionDeps, compactionEvents, planCompactions} from '../turn/compact-turns.js'
import {turnConfiguration} from '../turn/turn-configuration.js'
import {type CompactFlags, rulesOf} from './compact-flags.js'
import {turnPlaceOf} from './conversation-desk.js'
import {interruptible} from './interruptible.js'
import type {Invocation} from './invocation.js'

/** What compacting stands on. */
export type CompactScene = {
  readonly invocation: Invocation
  readonly context: ExecutionContext
  readonly store: ConversationStore
}

/** One compaction that was made: turns counted from 1. */
export type Compacted = {
  readonly id: ConversationId
  readonly from: number
  readonly to: number
  readonly summary?: string
}

/**
 * Makes parts of a conversation shorter for the model: as the flags say, else as `conversation.compaction.rules` say. A
 * summary is made before the lock is taken: the stream only grows, so the turns stay what they are.
 * @throws JpError `usage`, `config_value_invalid`, those of locking, of opening a model and of asking it.
 */
export const compactConversation = async (
  scene: CompactScene,
  id: ConversationId,
  flags: CompactFlags,
): Promise<readonly Compacted[]> => {
  const {store, invocation} = scene
  const {events} = store.read(id)
  const config = createConfig(scene, id, flags)
  const planned = planCompactions(events, await rulesOf(flags, config), invocation.clock.nowMs())
  const ranges = planned.map(({range}) => ({id, from: range.from + 1, to: range.to + 1}))
  if (flags.isDry || planned.length === 0) return ranges
  const made = await interruptible('Interrupted: nothing was compacted.', (signal) => {
    const {output} = invocation
    const deps: CompactionDeps = {place: turnPlaceOf(scene), config, onRetry: ({reason}) => output.note(reason), signal}
    return compactionEvents(events, planned, deps)
  })
  const held = store.lock(id)
  try {
    held.append(made)
  } finally {
    held.release()
  }
  return made.map(({from_turn: from, to_turn: to, summary}) => ({
    id,
    from: from + 1,
    to: to + 1,
    ...(summary === undefined ? {} : {summary: summary.summary}),
  }))
}

/** The configuration of the conversation, resolved when it is first asked for. */
const createConfig = (
  scene: CompactScene,
  id: ConversationId,
  {model}: Pick<CompactFlags, 'model'>,
): (() => Promise<Configuration>) => {
  const {globals} = scene.invocation
  const cfg = [...globals.cfg, ...(model === undefined ? [] : [`assistant.model.id=${model}`])]
  let resolved: Promise<Configuration> | undefined
  return () =>
    (resolved ??= turnConfiguration(turnPlaceOf(scene), scene.store.read(id), cfg).then(({config}) => config))
}
