import type {LanguageModelV4} from '@ai-sdk/provider'
import {JpError} from '../errors/jp-error.js'
import {knownProviders} from './known-providers.js'
import {formatModelId, type ModelId} from './model-id.js'
import type {ProviderDeps, ProviderEntry, ProviderSettings} from './provider-settings.js'

/**
 * Opens a model for streaming (W24, W25). Nothing is sent before its `doStream` is called, and only the file of the one
 * provider is imported. Open it once a turn: a script of `echo` goes on from call to call.
 *
 * `doStream` rejects, and its stream ends with an `error` part, with a {@link JpError}: `provider_*`; when its
 * `abortSignal` is aborted, with the signal's reason.
 * @throws JpError `provider_unknown`, `provider_key_missing`, `config_invalid`, and for a script those of `createEcho`.
 */
export const openModel = async (
  id: ModelId,
  settings: ProviderSettings,
  deps: ProviderDeps,
): Promise<LanguageModelV4> => {
  const entry = settings.providers[id.provider] ?? {}
  return openWire(id, entry, deps)
}

const openWire = async (id: ModelId, entry: ProviderEntry, deps: ProviderDeps): Promise<LanguageModelV4> => {
  const wire = knownProviders[id.provider]?.wire ?? (entry.type === 'openai-compatible' ? 'compatible' : undefined)
  if (wire === 'echo') return (await import('./echo.js')).createEcho(id.name, entry, deps)
  throw new JpError('provider_unknown', `There is no provider "${id.provider}" (model ${formatModelId(id)}).`)
}

/** True for a provider that writes titles and summaries when asked to; `echo` would only repeat the request (W25). */
export const writesTitles = (id: ModelId): boolean => id.provider !== 'echo'
