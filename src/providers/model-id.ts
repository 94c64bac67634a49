import {JpError} from '../errors/jp-error.js'
import {formatModelId, type ModelAliases, type ModelId, readModelId} from '../platform/model-id.js'
import {nearest} from '../platform/nearest.js'
import {knownProviders, otherServerCommand} from './known-providers.js'
import type {ProviderEntry} from './provider-settings.js'

/** The names that a model may be called by. */
export type ModelNames = {
  readonly aliases: ModelAliases
  /** `providers.llm` without its `aliases`. */
  readonly providers: Readonly<Record<string, ProviderEntry | undefined>>
}

/**
 * Resolves an alias or `provider/name` (W24, Q4).
 * @throws JpError `model_unknown` (neither an alias nor `provider/name`), `provider_unknown`; both suggest the nearest.
 */
export const resolveModelId = (model: string | ModelId, names: ModelNames): ModelId => {
  const reading = readModelId(model, names.aliases)
  if (reading.kind === 'circular') throw circularAlias(reading.chain)
  if (reading.kind === 'unknown') throw unknownModel(reading.text, names)
  if (!providerNames(names).includes(reading.id.provider)) throw unknownProvider(reading.id, names)
  return reading.id
}

const unknownModel = (text: string, names: ModelNames): JpError => {
  const close = nearest(text, [...Object.keys(names.aliases), ...providerNames(names)])
  return new JpError('model_unknown', `"${text}" is neither an alias nor a model id.`, {
    hint:
      close === undefined || text.includes('/')
        ? 'A model id is written provider/name: anthropic/claude-sonnet-4-5, ollama/llama3.2, echo/echo.'
        : `Did you mean ${Object.hasOwn(names.aliases, close) ? close : `${close}/<model>`}?`,
  })
}

const providerNames = (names: ModelNames): string[] => [
  ...new Set([...Object.keys(knownProviders), ...Object.keys(names.providers)]),
]

const unknownProvider = (id: ModelId, names: ModelNames): JpError => {
  const known = providerNames(names)
  const close = nearest(id.provider, known)
  return new JpError('provider_unknown', `There is no provider "${id.provider}" (model ${formatModelId(id)}).`, {
    hint:
      close === undefined
        ? `Known providers: ${known.join(', ')}. Any other server that speaks the OpenAI wire: ${otherServerCommand(id.provider)}`
        : `Did you mean ${formatModelId({...id, provider: close})}?`,
  })
}

const circularAlias = (chain: readonly string[]): JpError =>
  new JpError('model_unknown', `The model alias ${chain.join(' → ')} leads to itself.`, {
    hint: `Give it a model: jp config set providers.llm.aliases.${chain[0] ?? ''}=PROVIDER/NAME`,
  })
