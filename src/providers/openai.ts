import {createOpenAI} from '@ai-sdk/openai'
import type {LanguageModelV4CallOptions, LanguageModelV4Message} from '@ai-sdk/provider'
import {levelOf, type ReasoningRequest} from './reasoning.js'
import {isStrictSchema, type WireModel, type WireRequest} from './wire-model.js'

/** A model behind OpenAI's Responses wire, or its own Chat Completions. */
export const createModel = (request: WireRequest): WireModel => {
  const {connection, reasoning} = request
  const provider = createOpenAI({
    baseURL: connection.baseUrl,
    apiKey: connection.key?.value ?? 'none',
    fetch: request.fetch,
  })
  const level = levelOf(reasoning)
  const responses = connection.api === 'responses'
  return {
    model: responses ? provider.responses(request.name) : provider.chat(request.name),
    defaults: {
      ...(level === undefined ? {} : {reasoning: level}),
      // Nothing is kept at OpenAI: the conversation is here, its thoughts travel encrypted.
      providerOptions: {openai: {store: false, ...(responses ? summary(reasoning) : {})}},
    },
    shapeCall: responses ? shapeCall : shapeSchema,
  }
}

const summary = (reasoning: ReasoningRequest): {reasoningSummary?: string | null} => {
  if (reasoning.kind === 'unset' || reasoning.kind === 'off') return {}
  return {reasoningSummary: reasoning.exclude ? null : 'auto'}
}

/** The Responses wire takes a tool as strict unless told; tools of users and MCP servers are not written for that. */
const shapeCall = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => {
  const shaped = {...shapeSchema(options), prompt: options.prompt.map(withoutLostThoughts)}
  if (shaped.tools === undefined) return shaped
  return {...shaped, tools: shaped.tools.map((tool) => (tool.type === 'function' ? {strict: false, ...tool} : tool))}
}

/** Thoughts whose encrypted content is not here would be looked for at OpenAI, where nothing is kept. */
const withoutLostThoughts = (message: LanguageModelV4Message): LanguageModelV4Message => {
  if (message.role !== 'assistant') return message
  const whole = new Set(
    message.content.flatMap((part) => {
      const {itemId, reasoningEncryptedContent: encrypted} = part.providerOptions?.['openai'] ?? {}
      return part.type === 'reasoning' && typeof encrypted === 'string' ? [itemId] : []
    }),
  )
  const isWhole = (part: (typeof message.content)[number]): boolean =>
    part.type !== 'reasoning' || whole.has(part.providerOptions?.['openai']?.['itemId'])
  return {...message, content: message.content.filter(isWhole)}
}

const shapeSchema = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => {
  const schema = options.responseFormat?.type === 'json' ? options.responseFormat.schema : undefined
  if (schema === undefined || isStrictSchema(schema)) return options
  const openai = {...options.providerOptions?.['openai'], strictJsonSchema: false}
  return {...options, providerOptions: {...options.providerOptions, openai}}
}
