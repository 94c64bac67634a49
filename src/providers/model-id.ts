import {JpError} from '../errors/jp-error.js'
import {nearest} from '../platform/nearest.js'
import {knownProviders} from './known-providers.js'
import type {ProviderEntry} from './provider-settings.js'

/** A model of a provider: `anthropic/claude-sonnet-4-5`. The name may hold slashes of its own. */
export type ModelId = {readonly provider: string; readonly name: string}

/** The names that a model may be called by. */
export type ModelNames = {
  /** `providers.llm.aliases`: an alias may name another one. */
  readonly aliases: Readonly<Record<string, string | ModelId>>
  /** `providers.llm` without its `aliases`. */
  readonly providers: Readonly<Record<string, ProviderEntry | undefined>>
}

/** A model id as users write it. */
export const formatModelId = (id: ModelId): string => `${id.provider}/${id.name}`

/**
 * Resolves an alias or `provider/name` (W24, Q4).
 * @throws JpError `model_unknown` (neither an alias nor `provider/name`), `provider_unknown`; both suggest the nearest.
 */
export const resolveModelId = (model: string | ModelId, names: ModelNames): ModelId => {
  const id = followAliases(model, names)
  if (!providerNames(names).includes(id.provider)) throw unknownProvider(id, names)
  return id
}

const followAliases = (model: string | ModelId, names: ModelNames): ModelId => {
  const seen: string[] = []
  let next = model
  while (typeof next === 'string') {
    const word: string = next.trim()
    const target: string | ModelId | undefined = Object.hasOwn(names.aliases, word) ? names.aliases[word] : undefined
    if (target === undefined) return splitModelId(word, names)
    if (seen.includes(word)) throw circularAlias([...seen, word])
    seen.push(word)
    next = target
  }
  return next
}

const splitModelId = (text: string, names: ModelNames): ModelId => {
  const slash = text.indexOf('/')
  const id = {provider: text.slice(0, slash), name: text.slice(slash + 1)}
  if (slash > 0 && id.name !== '') return id
  const close = nearest(text, [...Object.keys(names.aliases), ...providerNames(names)])
  throw new JpError('model_unknown', `"${text}" is neither an alias nor a model id.`, {
    hint:
      close === undefined || slash !== -1
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
        ? `Known providers: ${known.join(', ')}. Any other server that speaks the OpenAI wire: ` +
          `jp config set providers.llm.${id.provider} '{type = "openai-compatible", base_url = "https://…"}'`
        : `Did you mean ${formatModelId({...id, provider: close})}?`,
  })
}

const circularAlias = (chain: readonly string[]): JpError =>
  new JpError('model_unknown', `The model alias ${chain.join(' → ')} leads to itself.`, {
    hint: `Give it a model: jp config set providers.llm.aliases.${chain[0] ?? ''} <provider/name>`,
  })
