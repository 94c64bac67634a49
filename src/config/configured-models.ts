import {type ModelId, readModelId} from '../platform/model-id.js'
import type {Configuration} from './schema.js'

/** The model that a spelling means (W24); undefined when it means none. */
export const findModelId = (
  {providers}: Pick<Configuration, 'providers'>,
  spelling: string | ModelId | undefined,
): ModelId | undefined => {
  const reading = spelling === undefined ? undefined : readModelId(spelling, providers.llm.aliases)
  return reading?.kind === 'id' ? reading.id : undefined
}

/** A copy in which every model that is known by an alias stands with its parts; an unknown alias stays. */
export const withModelsResolved = (config: Configuration): Configuration => {
  const named = <Model extends {id?: string | ModelId | undefined} | undefined>(model: Model): Model =>
    model?.id === undefined ? model : {...model, id: findModelId(config, model.id) ?? model.id}
  const {assistant, conversation} = config
  const generate = conversation.title.generate
  const inquiry = conversation.inquiry.assistant
  return {
    ...config,
    assistant: {...assistant, model: named(assistant.model)},
    conversation: {
      ...conversation,
      title: {...conversation.title, generate: {...generate, model: named(generate.model)}},
      inquiry: {...conversation.inquiry, assistant: {...inquiry, model: named(inquiry.model)}},
      compaction: {
        rules: conversation.compaction.rules.map((rule) =>
          rule.summary === undefined ? rule : {...rule, summary: {...rule.summary, model: named(rule.summary.model)}},
        ),
      },
    },
  }
}
