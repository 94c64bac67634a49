import {createAnthropic} from '@ai-sdk/anthropic'
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
