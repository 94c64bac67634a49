import type {Configuration} from './schema.js'

/** A model: its provider and the provider's name for it. */
export type ModelId = {readonly provider: string; readonly name: string}

/** How far an alias may lead to another one. */
const maxAliases = 8

/**
 * The model that a spelling means: `provider/name`, its parts, or an alias (W24). Undefined when it is none of them.
 */
export const findModelId = (
  config: Pick<Configuration, 'providers'>,
  spelling: string | ModelId | undefined,
): ModelId | undefined => {
  const aliases = config.providers.llm.aliases
  let at: string | ModelId | undefined = spelling
  for (let step = 0; step <= maxAliases; step++) {
    if (typeof at !== 'string') return at
    const slash = at.indexOf('/')
    if (slash > 0 && slash < at.length - 1) return {provider: at.slice(0, slash), name: at.slice(slash + 1)}
    at = Object.hasOwn(aliases, at) ? aliases[at] : undefined
  }
  return undefined
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
