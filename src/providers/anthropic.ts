import {createAnthropic} from '@ai-sdk/anthropic'
import type {LanguageModelV4Prompt} from '@ai-sdk/provider'
import {isRecord, overlay} from './network.js'
import {levelOf, type ReasoningRequest} from './reasoning.js'
import type {WireModel, WireRequest} from './wire-model.js'

/** A model behind Anthropic's Messages wire. */
export const createModel = (request: WireRequest): WireModel => {
  const {connection, entry, reasoning} = request
  const provider = createAnthropic({
    baseURL: connection.baseUrl,
    apiKey: connection.key?.value ?? '',
    headers: entry.beta_headers?.length ? {'anthropic-beta': entry.beta_headers.join(',')} : {},
    fetch: request.fetch,
  })
  return {
    model: provider.messages(request.name),
    defaults: reasoningDefaults(reasoning),
    shapeCall: (options) => ({...options, prompt: withCacheMarks(options.prompt, request.request.cache)}),
    // Thoughts that are left out still carry the signature that the next call of a turn must give back.
    shapeBody: (body) =>
      'exclude' in reasoning && reasoning.exclude && isRecord(body['thinking'])
        ? overlay(body, {thinking: {display: 'omitted'}})
        : body,
  }
}

const reasoningDefaults = (reasoning: ReasoningRequest): WireModel['defaults'] => {
  if (reasoning.kind === 'budget') {
    // The API's own lower bound.
    const budgetTokens = Math.max(1024, reasoning.tokens)
    return {providerOptions: {anthropic: {thinking: {type: 'enabled', budgetTokens}}}}
  }
  const level = reasoning.kind === 'auto' ? 'medium' : levelOf(reasoning)
  return level === undefined ? {} : {reasoning: level}
}

/**
 * Marks what the next call will send again: up to the last system message (tools and instructions), and all of it.
 * Anthropic caches nothing that is not marked, and a tool cycle sends everything anew.
 */
const withCacheMarks = (prompt: LanguageModelV4Prompt, cache: boolean | string | undefined): LanguageModelV4Prompt => {
  const ttl = cacheTtl(cache)
  if (ttl === undefined) return prompt
  const lastSystem = prompt.findLastIndex(({role}) => role === 'system')
  return prompt.map((message, index) => {
    if (index !== lastSystem && index !== prompt.length - 1) return message
    const anthropic = {...message.providerOptions?.['anthropic'], cacheControl: {type: 'ephemeral', ttl}}
    return {...message, providerOptions: {...message.providerOptions, anthropic}}
  })
}

const cacheTtl = (cache: boolean | string | undefined): '5m' | '1h' | undefined => {
  if (cache === undefined || cache === true || cache === 'short') return '5m'
  if (cache === false || cache === 'off') return undefined
  if (cache === 'long') return '1h'
  const [, amount = '0', unit = 's'] = /^(\d+(?:\.\d+)?)\s*([a-z])/.exec(cache) ?? []
  const seconds = Number(amount) * ({m: 60, h: 3600, d: 86_400}[unit] ?? 1)
  if (seconds === 0) return undefined
  return seconds <= 300 ? '5m' : '1h'
}
