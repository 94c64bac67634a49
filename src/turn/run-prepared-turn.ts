import type {PreparedTurn} from './prepare-turn.js'
import {runTurn, type TurnDeps, type TurnRequest} from './run-turn.js'
import {systemPrompt} from './system-prompt.js'
import {noTools} from './tool-round.js'
import type {TurnEnd} from './turn-end.js'
import type {TurnPlace} from './turn-place.js'

/** One turn in one checkout, ready to run. */
export type ReadyTurn = Pick<TurnDeps, 'clock' | 'conversation' | 'control' | 'subscribers'> &
  Pick<TurnRequest, 'content' | 'title' | 'schema'> & {
    readonly place: TurnPlace
    readonly prepared: PreparedTurn
    readonly isNew: boolean
  }

/**
 * Runs a turn as every frontend runs it: in its checkout, with the tools and the prompt of its configuration (S16, S32).
 * Never rejects, as {@link runTurn}.
 */
export const runPreparedTurn = (turn: ReadyTurn): Promise<TurnEnd> => {
  const {place, prepared, conversation, isNew} = turn
  const {clock, control, subscribers} = turn
  return runTurn(
    {clock, conversation, control, subscribers, model: prepared.model.model, tools: noTools},
    {
      started: {
        conversation: conversation.id,
        is_new: isNew,
        workspace: place.checkout.id,
        root: place.checkout.root,
        model: prepared.model.name,
      },
      content: turn.content,
      author: prepared.config.user.name,
      title: turn.title,
      schema: turn.schema,
      configDelta: isNew ? undefined : prepared.delta,
      system: systemPrompt(prepared.config.assistant),
    },
  )
}
