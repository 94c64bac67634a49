import {JpError} from '../errors/jp-error.js'
import type {ModelId} from '../platform/model-id.js'
import {honourProxies} from '../platform/proxy.js'
import {callContextOf} from './call-context.js'
import {connectionOf} from './connection.js'
import {askForModels} from './detect.js'
import {nameFailure} from './name-failure.js'
import {nameStatus} from './name-status.js'
import {providerError} from './provider-error.js'
import type {ProviderDeps, ProviderEntry} from './provider-settings.js'

/** How long a provider may take to answer. Unit: milliseconds. */
const answerMs = 5000

/**
 * Proves that the provider of a model can be reached and takes the key (Q9), with a question that costs nothing: which
 * models it has. A provider that does not tell has answered all the same.
 * @throws JpError `provider_*`, `config_invalid`.
 */
export const reachProvider = async (id: ModelId, entry: ProviderEntry, deps: ProviderDeps): Promise<void> => {
  if (id.provider === 'echo') return
  const connection = connectionOf(id, entry, deps)
  const context = callContextOf(id, connection, deps.environment)
  await honourProxies(deps.environment)
  const answer = await askForModels(connection, AbortSignal.timeout(answerMs)).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw silent(connection.title, connection.baseUrl)
    throw nameFailure(error, context)
  })
  await answer.body?.cancel()
  const {status} = answer
  if (status < 500 && ![401, 402, 403, 429].includes(status)) return
  throw nameStatus({status, message: '', kind: '', headers: {}, cause: undefined}, context)
}

const silent = (title: string, url: string): JpError =>
  providerError('provider_unreachable', {
    message: `${title} at ${url} does not answer within ${answerMs / 1000} s.`,
    hint: 'Check the network and the proxy variables.',
    transient: true,
  })
