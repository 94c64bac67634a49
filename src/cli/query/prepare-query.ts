import {hasCode} from '../../errors/jp-error.js'
import {type Preparation, type PreparedTurn, prepareTurn} from '../../turn/prepare-turn.js'
import type {QueryScene} from './query-scene.js'

/**
 * Prepares the turn of a query. With no model configured a terminal is asked (W25); nothing is chosen
 * silently.
 * @throws JpError `model_required` without a terminal, those of the configuration and of opening a model.
 */
export const prepareQuery = async (scene: QueryScene, preparation: Preparation): Promise<PreparedTurn> => {
  const {prompter} = scene.invocation
  try {
    return await prepareTurn(scene.place, preparation)
  } catch (error) {
    if (!hasCode(error, 'model_required') || prompter === undefined) throw error
    const model = await prompter.input({
      message: 'No model is configured. Which one for this conversation? (provider/name)',
      complaint: (text) => (/^[^/\s]+\/\S+$/.test(text.trim()) ? undefined : 'Write it as provider/name.'),
    })
    return prepareTurn(scene.place, {...preparation, cfg: [...preparation.cfg, `assistant.model.id=${model.trim()}`]})
  }
}
