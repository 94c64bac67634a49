import type {ModelId} from '../platform/model-id.js'
import {openModel} from './open-model.js'
import type {ProviderDeps, ProviderSettings} from './provider-settings.js'

/**
 * Makes one small call to prove that a model answers (Q5); gives what it said. It is not tried again.
 * @throws JpError `provider_*`, `model_unknown`; the signal's reason when it is aborted.
 */
export const tryModel = async (
  id: ModelId,
  settings: ProviderSettings,
  deps: ProviderDeps & {readonly signal: AbortSignal},
): Promise<string> => {
  const model = await openModel(id, {...settings, request: {...settings.request, max_retries: 0}}, deps)
  const {stream} = await model.doStream({
    prompt: [{role: 'user', content: [{type: 'text', text: 'Answer with the single word: ready'}]}],
    abortSignal: deps.signal,
  })
  let text = ''
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') text += part.delta
  }
  return text
}
