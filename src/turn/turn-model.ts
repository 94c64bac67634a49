import type {LanguageModelV4} from '@ai-sdk/provider'
import type {Configuration} from '../config/schema.js'
import {JpError} from '../errors/jp-error.js'
import {formatModelId, type ModelId} from '../platform/model-id.js'
import {resolveModelId} from '../providers/model-id.js'
import {openModel} from '../providers/open-model.js'
import type {ProviderSettings, ReasoningSetting, RetryNotice} from '../providers/provider-settings.js'
import type {TurnPlace} from './turn-place.js'

/** The model of a turn, open. */
export type TurnModel = {
  readonly id: ModelId
  /** `provider/name` */
  readonly name: string
  readonly model: LanguageModelV4
}

/**
 * Opens the model that the configuration names (W24, W25). Nothing is sent.
 * @throws JpError `model_required` when none is configured, `model_unknown`, `provider_unknown`, `provider_key_missing`.
 */
export const openTurnModel = async (
  config: Configuration,
  place: TurnPlace,
  onRetry: (notice: RetryNotice) => void,
): Promise<TurnModel> => {
  const id = turnModelId(config)
  const model = await openModel(id, providerSettings(config), {
    environment: place.environment,
    configCwd: place.configCwd,
    onRetry,
  })
  return {id, name: formatModelId(id), model}
}

/** The id of the configured model. @throws JpError `model_required`, `model_unknown`, `provider_unknown`. */
export const turnModelId = (config: Configuration): ModelId => {
  const id = config.assistant.model.id
  if (id === undefined) throw modelRequired()
  const {aliases, ...providers} = config.providers.llm
  return resolveModelId(id, {aliases, providers})
}

const providerSettings = (config: Configuration): ProviderSettings => {
  const {aliases: _, ...providers} = config.providers.llm
  const {reasoning, ...parameters} = config.assistant.model.parameters ?? {}
  return {
    providers,
    parameters: {...parameters, ...(reasoning === undefined ? {} : {reasoning: reasoningOf(reasoning)})},
    request: config.assistant.request,
  }
}

type Reasoning = NonNullable<NonNullable<Configuration['assistant']['model']['parameters']>['reasoning']>

const reasoningOf = (reasoning: Reasoning): ReasoningSetting =>
  typeof reasoning === 'string' ? reasoning : {...reasoning, effort: reasoning.effort ?? 'auto'}

const modelRequired = (): JpError =>
  new JpError('model_required', 'No model is configured.', {
    hint: 'Name one for this run: jp query --model PROVIDER/NAME …\nOr for this workspace: jp config set assistant.model.id=PROVIDER/NAME (in a new one, jp init asks)',
  })
