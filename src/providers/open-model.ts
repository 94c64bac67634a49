import type {LanguageModelV4} from '@ai-sdk/provider'
import type {ModelId} from '../platform/model-id.js'
import {createChained} from './chained.js'
import type {ProviderDeps, ProviderSettings} from './provider-settings.js'
import {createResilient} from './resilient.js'

/**
 * Opens a model for streaming (W24, W25). Nothing is sent before its `doStream` is called, and only the file of the one
 * provider is imported. Open it once a turn: a script of `echo` goes on from call to call.
 *
 * The parameters of the configuration are laid under each call's own options. `doStream` does not reject: a failure is
 * the last part of its stream, an `error` with a JpError `provider_*`; when the `abortSignal` is aborted, the stream
 * fails with the signal's reason. Transient failures are tried again before that, as `createResilient` says; an answer
 * that was cut at its longest is gone on with, as `createChained` says, where `chain_on_max_tokens` is on.
 * @throws JpError `provider_unknown`, `provider_key_missing`, `config_invalid`, and for a script those of `openEcho`.
 */
export const openModel = async (
  id: ModelId,
  settings: ProviderSettings,
  deps: ProviderDeps,
): Promise<LanguageModelV4> => {
  const listeners: (() => void)[] = []
  const onBytes = (): void => listeners.forEach((listener) => listener())
  const open = id.provider === 'echo' ? (await import('./echo.js')).openEcho : (await import('./open-wire.js')).openWire
  const {model, context} = await open(id, settings, {...deps, onBytes})
  const resilient = createResilient(model, {
    request: settings.request ?? {},
    context,
    onRetry: deps.onRetry,
    onActivity: (listener) => listeners.splice(0, 1, listener),
  })
  return isChained(id, settings) ? createChained(resilient) : resilient
}

/** A limit that was asked for is the limit of the answer; it is the provider's own that is gone on behind. */
const isChained = ({provider}: ModelId, {providers, parameters}: ProviderSettings): boolean =>
  providers[provider]?.chain_on_max_tokens === true && parameters?.max_tokens === undefined

/** True for a provider that writes titles and summaries when asked to; `echo` would only repeat the request (W25). */
export const writesTitles = (id: ModelId): boolean => id.provider !== 'echo'
