import {createOpenAICompatible} from '@ai-sdk/openai-compatible'
import type {LanguageModelV4CallOptions} from '@ai-sdk/provider'
import {isRecord} from './network.js'
import {levelOf, type ReasoningLevel, type ReasoningRequest} from './reasoning.js'
import {isStrictSchema, type WireModel, type WireRequest} from './wire-model.js'

/** The name under which the package keeps options and metadata, whatever provider is behind it. */
const optionsKey = 'compatible'

/**
 * A model behind the Chat Completions wire as the rest of the world speaks it: OpenRouter, DeepSeek, Cerebras, xAI,
 * Ollama, llama.cpp, and any server that a user names (W24).
 */
export const createModel = (request: WireRequest): WireModel => {
  const {connection, parameters, reasoning} = request
  const {provider} = connection
  const takesSchema = provider !== 'deepseek'
  const compatible = createOpenAICompatible({
    name: optionsKey,
    baseURL: connection.baseUrl,
    ...(connection.key === undefined ? {} : {apiKey: connection.key.value}),
    headers: provider === 'openrouter' ? openrouterHeaders(request) : {},
    includeUsage: true,
    supportsStructuredOutputs: takesSchema,
    fetch: request.fetch,
  })
  const own = ownReasoning[provider]
  const level = own === undefined ? commonLevel(levelOf(reasoning)) : undefined
  return {
    model: compatible.chatModel(request.name),
    defaults: level === undefined ? {} : {reasoning: level},
    shapeCall: takesSchema ? shapeSchema : schemaInWords,
    // OpenAI itself has no top_k; the servers that resemble it do.
    body: {...own?.(reasoning), ...(parameters.top_k === undefined ? {} : {top_k: parameters.top_k})},
    shapeBody: (body) => trimReasoning(body, provider === 'openrouter' ? 'reasoning' : 'reasoning_content'),
  }
}

const openrouterHeaders = ({entry}: WireRequest): Record<string, string> => ({
  'x-title': entry.app_name ?? 'JP',
  ...(entry.app_referrer === undefined ? {} : {'http-referer': entry.app_referrer}),
})

/** Servers that only know OpenAI's three levels, and `none`. */
const commonLevel = (level: ReasoningLevel | undefined): ReasoningLevel | undefined => {
  if (level === 'minimal') return 'low'
  return level === 'max' || level === 'xhigh' ? 'high' : level
}

/** Providers that ask for thoughts in words of their own. */
const ownReasoning: Readonly<Record<string, (reasoning: ReasoningRequest) => Record<string, unknown>>> = {
  openrouter: (reasoning) => {
    if (reasoning.kind === 'unset') return {}
    if (reasoning.kind === 'off') return {reasoning: {enabled: false}}
    const exclude = reasoning.exclude ? {exclude: true} : {}
    if (reasoning.kind === 'auto') return {reasoning: {enabled: true, ...exclude}}
    if (reasoning.kind === 'budget') return {reasoning: {max_tokens: reasoning.tokens, ...exclude}}
    return {reasoning: {effort: reasoning.level === 'max' ? 'xhigh' : reasoning.level, ...exclude}}
  },
  deepseek: (reasoning) =>
    reasoning.kind === 'unset' ? {} : {thinking: {type: reasoning.kind === 'off' ? 'disabled' : 'enabled'}},
}

const shapeSchema = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => {
  const schema = options.responseFormat?.type === 'json' ? options.responseFormat.schema : undefined
  if (schema === undefined || isStrictSchema(schema)) return options
  const compatible = {...options.providerOptions?.[optionsKey], strictJsonSchema: false}
  return {...options, providerOptions: {...options.providerOptions, [optionsKey]: compatible}}
}

/** For providers that promise JSON but take no schema: the schema is asked for in words. */
const schemaInWords = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => {
  const schema = options.responseFormat?.type === 'json' ? options.responseFormat.schema : undefined
  if (schema === undefined) return options
  const content = `Answer with nothing but one JSON value that matches this JSON schema:\n${JSON.stringify(schema)}`
  return {...options, responseFormat: {type: 'json'}, prompt: [{role: 'system', content}, ...options.prompt]}
}

/**
 * Thoughts go back only within the turn that had them: some servers need them there, between its tool calls, and some
 * refuse those of earlier turns.
 */
const trimReasoning = (body: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> => {
  const messages = body['messages']
  if (!Array.isArray(messages)) return body
  const lastUser = messages.findLastIndex((message) => isRecord(message) && message['role'] === 'user')
  const trimmed = messages.map((message: unknown, index) => {
    if (!isRecord(message) || !('reasoning_content' in message)) return message
    const {reasoning_content: thoughts, ...rest} = message
    return index < lastUser ? rest : {...rest, [key]: thoughts}
  })
  return {...body, messages: trimmed}
}
