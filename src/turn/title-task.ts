import {hasCode, JpError} from '../errors/jp-error.js'
import {writesTitles} from '../providers/open-model.js'
import {isLiveRoot} from '../workspace/roots-registry.js'
import type {RunningTask} from './background-tasks.js'
import type {ReadyTurn} from './run-prepared-turn.js'
import {titleFor} from './title.js'
import {openTurnModel, turnModelId} from './turn-model.js'

/**
 * Starts making a title for a new conversation that has none (W28); undefined when none is wanted. It is written under the
 * turn's own lock, so whoever runs the turn waits for it, within bounds, before it gives the lock back.
 */
export const startTitle = (turn: ReadyTurn, announce: (title: string) => Promise<void>): RunningTask | undefined => {
  const {tasks, isNew, content, conversation, place, prepared} = turn
  const {generate} = prepared.config.conversation.title
  if (tasks === undefined || !isNew || content === undefined || !generate.auto) return undefined
  const {assistant} = prepared.config
  const config = {
    ...prepared.config,
    assistant: {...assistant, model: generate.model?.id === undefined ? assistant.model : generate.model},
  }
  // Reading the conversation takes longer than finding that nobody could make a title.
  if (!isPossible(config) || conversation.read().title !== undefined) return undefined
  return tasks.start({
    name: 'title',
    destination: {root: place.checkout.root, conversation: conversation.id},
    async run(signal) {
      const {model} = await openTurnModel(config, place, () => undefined)
      const title = await titleFor(content, model, signal)
      if (title === undefined || signal.aborted) return
      const {id, root} = place.checkout
      if (!isLiveRoot(id, root)) throw new JpError('checkout_not_live', `${root} is no checkout any more.`)
      // The first persist may still be to come; a title that the user gives meanwhile wins.
      if (conversation.read().title !== undefined) return
      conversation.changeMetadata({title})
      await announce(title)
    },
  })
}

/** `echo` would only repeat the request (W25). */
const isPossible = (config: Parameters<typeof turnModelId>[0]): boolean => {
  try {
    return writesTitles(turnModelId(config))
  } catch (error) {
    if (hasCode(error, 'model_unknown', 'provider_unknown', 'model_required')) return false
    throw error
  }
}
