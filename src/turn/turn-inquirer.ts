import type {LanguageModelV4} from '@ai-sdk/provider'
import type {RetryNotice} from '../providers/provider-settings.js'
import {announceRetry} from './announce-retry.js'
import {type AssistantOverrides, createInquirer, type Inquirer, type InquirerDeps} from './inquiry.js'
import type {PreparedTurn} from './prepare-turn.js'
import type {ReadyTurn} from './run-prepared-turn.js'
import {openTurnModel} from './turn-model.js'

/** The inquirer of a turn: the model of the turn itself, or the one that the configuration names for questions. */
export const turnInquirer = (turn: ReadyTurn, attachments: InquirerDeps['attachments']): Inquirer => {
  const {prepared, place, subscribers} = turn
  const {assistant, conversation} = prepared.config
  const opened = new Map<string, Promise<LanguageModelV4>>()
  const tell = async (notice: RetryNotice): Promise<void> => {
    for (const subscriber of subscribers) await subscriber(announceRetry(notice))
  }
  const open = async ({model, request}: AssistantOverrides): Promise<LanguageModelV4> => {
    const changed = {
      ...assistant,
      // Parameters are those of a model: another one does not inherit them.
      model: model?.id === undefined ? {...assistant.model, ...model} : model,
      request: requestOf(assistant.request, request ?? {}),
    }
    return (await openTurnModel({...prepared.config, assistant: changed}, place, (notice) => void tell(notice))).model
  }
  return createInquirer({
    assistant,
    overrides: conversation.inquiry.assistant,
    attachments,
    openModel(overrides) {
      const {model, request} = overrides
      if (model === undefined && request === undefined) return Promise.resolve(prepared.model.model)
      const key = JSON.stringify([model, request])
      const known = opened.get(key) ?? open(overrides)
      opened.set(key, known)
      return known
    },
  })
}

type Request = PreparedTurn['config']['assistant']['request']

const requestOf = (own: Request, given: NonNullable<AssistantOverrides['request']>): Request => ({
  max_retries: given.max_retries ?? own.max_retries,
  base_backoff_ms: given.base_backoff_ms ?? own.base_backoff_ms,
  max_backoff_secs: given.max_backoff_secs ?? own.max_backoff_secs,
  stream_idle_timeout_secs: given.stream_idle_timeout_secs ?? own.stream_idle_timeout_secs,
  max_response_bytes: given.max_response_bytes ?? own.max_response_bytes,
  cache: given.cache ?? own.cache,
})
