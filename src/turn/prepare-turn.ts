import type {Resolution} from '../config/pipeline.js'
import type {RetryNotice} from '../providers/provider-settings.js'
import {type ConfiguredConversation, turnConfiguration} from './turn-configuration.js'
import {openTurnModel, type TurnModel} from './turn-model.js'
import type {TurnPlace} from './turn-place.js'

/** What a turn needs before it touches a conversation: its configuration, and a model that can be asked. */
export type PreparedTurn = Resolution & {readonly model: TurnModel}

/** What preparing depends on. */
export type Preparation = {
  /** Undefined for a new one. */
  readonly conversation: ConfiguredConversation | undefined
  readonly cfg: readonly string[]
  readonly onRetry: (notice: RetryNotice) => void
}

/**
 * Resolves the configuration of a turn and opens its model (S32): the same for every frontend. Writes and sends nothing.
 * @throws JpError `model_required`, those of the configuration and of opening a model.
 */
export const prepareTurn = async (place: TurnPlace, {conversation, cfg, onRetry}: Preparation): Promise<PreparedTurn> =>
  openPrepared(place, await turnConfiguration(place, conversation, cfg), onRetry)

/** The same, from a configuration that is resolved. @throws JpError `model_required`, those of opening a model. */
export const openPrepared = async (
  place: TurnPlace,
  resolution: Resolution,
  onRetry: Preparation['onRetry'],
): Promise<PreparedTurn> => ({...resolution, model: await openTurnModel(resolution.config, place, onRetry)})
