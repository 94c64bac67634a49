import type {LanguageModelV4, LanguageModelV4CallOptions} from '@ai-sdk/provider'
import type {ModelId} from '../platform/model-id.js'
import {honourProxies} from '../platform/proxy.js'
import {type CallContext, callContextOf} from './call-context.js'
import {type Connection, connectionOf} from './connection.js'
import {createFetch, overlay} from './network.js'
import type {ProviderDeps, ProviderSettings} from './provider-settings.js'
import {reasoningRequest} from './reasoning.js'
import {otherParameters, portParameters, type WireModel, type WireRequest} from './wire-model.js'

/** A model as its provider's package makes it, and whom its failures are told of. */
export type OpenedModel = {readonly model: LanguageModelV4; readonly context: CallContext}

/**
 * Opens a model over the network. Imports the one file of its wire.
 * @throws JpError `provider_unknown`, `provider_key_missing`, `config_invalid`.
 */
export const openWire = async (
  id: ModelId,
  settings: ProviderSettings,
  deps: ProviderDeps & {readonly onBytes: () => void},
): Promise<OpenedModel> => {
  const entry = settings.providers[id.provider] ?? {}
  const parameters = settings.parameters ?? {}
  const connection = connectionOf(id, entry, deps)
  await honourProxies(deps.environment)
  const other = otherParameters(parameters)
  const {createModel} = await importWire(connection)
  const wire: WireModel = createModel({
    name: id.name,
    connection,
    entry,
    parameters,
    request: settings.request ?? {},
    reasoning: reasoningRequest(parameters.reasoning),
    fetch: createFetch({
      shapeBody: (body) => overlay(overlay(wire.shapeBody?.(body) ?? body, wire.body ?? {}), other),
      onBytes: deps.onBytes,
    }),
  })
  return {
    model: withDefaults(wire, portParameters(parameters)),
    context: callContextOf(id, connection, deps.environment),
  }
}

const importWire = (connection: Connection): Promise<{createModel(this: void, request: WireRequest): WireModel}> => {
  if (connection.wire === 'anthropic') return import('./anthropic.js')
  if (connection.wire === 'openai') return import('./openai.js')
  if (connection.wire === 'google') return import('./google.js')
  return import('./openai-compatible.js')
}

const withDefaults = (wire: WireModel, parameters: Partial<LanguageModelV4CallOptions>): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: wire.model.provider,
  modelId: wire.model.modelId,
  supportedUrls: wire.model.supportedUrls,
  doGenerate: (options) => wire.model.doGenerate(options),
  doStream: (options) => {
    const providerOptions = {...wire.defaults.providerOptions}
    for (const [name, own] of Object.entries(options.providerOptions ?? {})) {
      providerOptions[name] = {...providerOptions[name], ...own}
    }
    const merged = {...parameters, ...wire.defaults, ...options, providerOptions}
    return wire.model.doStream(wire.shapeCall?.(merged) ?? merged)
  },
})
