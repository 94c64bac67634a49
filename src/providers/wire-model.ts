import type {LanguageModelV4, LanguageModelV4CallOptions} from '@ai-sdk/provider'
import type {Connection} from './connection.js'
import type {ModelParameters, ProviderEntry, RequestSettings} from './provider-settings.js'
import type {ReasoningRequest} from './reasoning.js'

/** What a provider's file is given to make a model. */
export type WireRequest = {
  readonly name: string
  readonly connection: Connection
  readonly entry: ProviderEntry
  readonly parameters: ModelParameters
  readonly reasoning: ReasoningRequest
  readonly request: RequestSettings
  readonly fetch: typeof globalThis.fetch
}

/** A model of one wire with what its calls say besides the prompt. */
export type WireModel = {
  readonly model: LanguageModelV4
  /** Laid under each call's own options. */
  readonly defaults: Partial<Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'>>
  /** Shapes a call for what this wire can't say. */
  readonly shapeCall?: ((options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions) | undefined
  /** Laid over the request's body. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Gives the body its last shape, before the user's own keys are laid over it. */
  readonly shapeBody?: ((body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | undefined
}

const named = ['max_tokens', 'temperature', 'top_p', 'top_k', 'stop_words', 'reasoning']

/** The parameters that the port has words for. */
export const portParameters = (parameters: ModelParameters): Partial<LanguageModelV4CallOptions> => ({
  ...(parameters.max_tokens === undefined ? {} : {maxOutputTokens: parameters.max_tokens}),
  ...(parameters.temperature === undefined ? {} : {temperature: parameters.temperature}),
  ...(parameters.top_p === undefined ? {} : {topP: parameters.top_p}),
  ...(parameters.top_k === undefined ? {} : {topK: parameters.top_k}),
  ...(parameters.stop_words === undefined || parameters.stop_words.length === 0
    ? {}
    : {stopSequences: [...parameters.stop_words]}),
})

/** The parameters that go to the provider as they are. */
export const otherParameters = (parameters: ModelParameters): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parameters).filter(([key, value]) => !named.includes(key) && value !== undefined))

/**
 * True when every object in a JSON schema closes and requires all of its properties: what OpenAI's strict mode takes.
 */
export const isStrictSchema = (schema: unknown): boolean => {
  if (Array.isArray(schema)) return schema.every(isStrictSchema)
  if (typeof schema !== 'object' || schema === null) return true
  const fields: Readonly<Record<string, unknown>> = {...schema}
  if (fields['type'] === 'object') {
    const names = Object.keys({...(typeof fields['properties'] === 'object' ? fields['properties'] : {})})
    const required = Array.isArray(fields['required']) ? fields['required'] : []
    if (fields['additionalProperties'] !== false || names.some((name) => !required.includes(name))) return false
  }
  return Object.values(fields).every(isStrictSchema)
}
