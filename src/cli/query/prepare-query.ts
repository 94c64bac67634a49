import type {Resolution} from '../../config/pipeline.js'
import type {Conversation} from '../../conversation/conversation.js'
import {hasCode} from '../../errors/jp-error.js'
import type {RetryNotice} from '../../providers/provider-settings.js'
import {turnConfiguration} from '../../turn/turn-configuration.js'
import {openTurnModel, type TurnModel} from '../../turn/turn-model.js'
import type {QueryScene} from './query-scene.js'

/** What a turn needs before it touches a conversation: its configuration, and a model that can be asked. */
export type PreparedQuery = Resolution & {readonly model: TurnModel}

/** What preparing depends on. */
export type Preparation = {
  /** Undefined for a new one. */
  readonly conversation: Conversation | undefined
  readonly cfg: readonly string[]
  readonly onRetry: (notice: RetryNotice) => void
}

/**
 * Resolves the configuration and opens the model. With no model configured a terminal is asked (W25); nothing is chosen
 * silently.
 * @throws JpError `model_required` without a terminal, those of the configuration and of opening a model.
 */
export const prepareQuery = async (scene: QueryScene, preparation: Preparation): Promise<PreparedQuery> => {
  const {prompter} = scene.invocation
  try {
    return await prepare(scene, preparation)
  } catch (error) {
    if (!hasCode(error, 'model_required') || prompter === undefined) throw error
    const model = await prompter.input({
      message: 'No model is configured. Which one for this conversation? (provider/name)',
      complaint: (text) => (/^[^/\s]+\/\S+$/.test(text.trim()) ? undefined : 'Write it as provider/name.'),
    })
    return prepare(scene, {...preparation, cfg: [...preparation.cfg, `assistant.model.id=${model.trim()}`]})
  }
}

const prepare = async (scene: QueryScene, {conversation, cfg, onRetry}: Preparation): Promise<PreparedQuery> => {
  const resolution = await turnConfiguration(scene.place, conversation, cfg)
  return {...resolution, model: await openTurnModel(resolution.config, scene.place, onRetry)}
}
