import {createGoogle} from '@ai-sdk/google'
import {levelOf, wantsThoughts} from './reasoning.js'
import type {WireModel, WireRequest} from './wire-model.js'

/** A model behind Google's Gemini wire. */
export const createModel = (request: WireRequest): WireModel => {
  const {connection, reasoning} = request
  const provider = createGoogle({
    baseURL: connection.baseUrl,
    apiKey: connection.key?.value ?? '',
    fetch: request.fetch,
  })
  const level = reasoning.kind === 'budget' ? undefined : levelOf(reasoning)
  const thinkingConfig = {
    ...(reasoning.kind === 'budget' ? {thinkingBudget: reasoning.tokens} : {}),
    ...(wantsThoughts(reasoning) ? {includeThoughts: true} : {}),
  }
  return {
    model: provider.languageModel(request.name),
    defaults: {
      ...(level === undefined ? {} : {reasoning: level}),
      ...(Object.keys(thinkingConfig).length === 0 ? {} : {providerOptions: {google: {thinkingConfig}}}),
    },
  }
}
