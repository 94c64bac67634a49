import {findModelId} from '../config/configured-models.js'
import type {Configuration} from '../config/schema.js'
import {formatModelId} from '../platform/model-id.js'

/** A model that a session may use. */
export type ModelChoice = {
  /** `provider/name` */
  readonly id: string
  /** Its alias where it has one, else its id. */
  readonly name: string
}

/** The models that the configuration names: the one that is in use, then its aliases (W24). */
export type Models = {
  /** Undefined when none is configured. */
  readonly current: string | undefined
  readonly choices: readonly ModelChoice[]
}

/** Finds the models of a configuration. */
export const modelsOf = (config: Configuration): Models => {
  const id = findModelId(config, config.assistant.model.id)
  const current = id === undefined ? undefined : formatModelId(id)
  const choices = new Map<string, ModelChoice>()
  for (const alias of Object.keys(config.providers.llm.aliases)) {
    const target = findModelId(config, alias)
    if (target === undefined) continue
    const known = choices.get(formatModelId(target))
    choices.set(formatModelId(target), {id: formatModelId(target), name: known?.name ?? alias})
  }
  if (current !== undefined && !choices.has(current)) choices.set(current, {id: current, name: current})
  return {current, choices: [...choices.values()]}
}
