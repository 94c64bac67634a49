import type {LanguageModelV4StreamPart, LanguageModelV4Usage} from '@ai-sdk/provider'
import type {NewEvent} from '../conversation/event.js'
import {mergeMetadata, toStoredMetadata} from './provider-metadata.js'
import type {TokenUsage, TurnEvent} from './turn-event.js'
import {wellFormed} from './well-formed.js'

type ChatResponse = Extract<NewEvent, {type: 'chat_response'}>
type ToolCallRequest = Extract<NewEvent, {type: 'tool_call_request'}>

/** A tool call as the model wrote it. */
export type WrittenCall = {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Why the arguments can't be used: they are no JSON object. Undefined when they can. */
  readonly invalid: string | undefined
}

/** What one piece of a model's stream comes to. */
export type Collected = {
  /** To say at once. */
  readonly said: readonly TurnEvent[]
  /** Whole parts, to store. */
  readonly parts: readonly (ChatResponse | ToolCallRequest)[]
}

/** Puts the pieces of one model cycle together. Pure: whoever drives it says and stores. */
export interface AnswerCollector {
  push(piece: LanguageModelV4StreamPart): Collected
  /** The parts that have begun and did not end, as far as they came; also after a cut (W27). */
  rest(): readonly ChatResponse[]
  /** The whole tool calls, in the order in which they came. */
  readonly calls: readonly WrittenCall[]
  readonly text: string
  readonly finishReason: string | undefined
  readonly usage: TokenUsage
}

/**
 * The whole answer of a stream that nobody watches.
 * @throws JpError what the stream ends with.
 */
export const collectAnswer = async (stream: AsyncIterable<LanguageModelV4StreamPart>): Promise<AnswerCollector> => {
  const collector = createAnswerCollector()
  for await (const piece of stream) {
    if (piece.type === 'error') throw piece.error
    collector.push(piece)
  }
  return collector
}

type OpenPart = {kind: 'message' | 'reasoning'; text: string; metadata: ReturnType<typeof mergeMetadata>}

/** Creates the collector of one cycle. */
export const createAnswerCollector = (): AnswerCollector => {
  const open = new Map<string, OpenPart>()
  const calls: WrittenCall[] = []
  let text = ''
  let finishReason: string | undefined
  let usage: TokenUsage = {}
  const nothing: Collected = {said: [], parts: []}

  const end = (id: string): Collected => {
    const part = open.get(id)
    open.delete(id)
    const whole = part === undefined ? undefined : toResponse(part, true)
    return whole === undefined ? nothing : {said: [], parts: [whole]}
  }

  const textPiece = (piece: TextPiece): Collected => {
    const kind = piece.type.startsWith('text') ? 'message' : 'reasoning'
    const part = open.get(piece.id) ?? {kind, text: '', metadata: {}}
    part.metadata = mergeMetadata(part.metadata, piece.providerMetadata)
    open.set(piece.id, part)
    if (piece.type === 'text-end' || piece.type === 'reasoning-end') return end(piece.id)
    if (!('delta' in piece) || piece.delta === '') return nothing
    part.text += piece.delta
    if (kind === 'message') text += piece.delta
    return {said: [{type: kind === 'message' ? 'text_delta' : 'reasoning_delta', text: piece.delta}], parts: []}
  }

  return {
    push(piece) {
      switch (piece.type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end':
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          return textPiece(piece)
        case 'tool-input-start':
          if (piece.providerExecuted === true) return nothing
          return {said: [{type: 'tool_call_preparing', id: piece.id, name: piece.toolName}], parts: []}
        case 'tool-call': {
          if (piece.providerExecuted === true) return nothing
          const {call, request} = toCall(piece)
          calls.push(call)
          const {id, name} = call
          return {said: [{type: 'tool_call_requested', id, name, arguments: call.arguments}], parts: [request]}
        }
        case 'finish':
          finishReason = piece.finishReason.unified
          usage = toUsage(piece.usage)
          return nothing
        default:
          return nothing
      }
    },
    rest() {
      // A part that was cut has no valid signature and no finished item at the provider: nothing to hand back.
      const cut = [...open.values()].map((part) => toResponse(part, finishReason !== undefined))
      open.clear()
      return cut.filter((part) => part !== undefined)
    },
    calls,
    get text() {
      return text
    },
    get finishReason() {
      return finishReason
    },
    get usage() {
      return usage
    },
  }
}

type TextPiece = Extract<
  LanguageModelV4StreamPart,
  {type: 'text-start' | 'text-delta' | 'text-end' | 'reasoning-start' | 'reasoning-delta' | 'reasoning-end'}
>

const toResponse = (part: OpenPart, isWhole: boolean): ChatResponse | undefined => {
  const metadata = isWhole ? toStoredMetadata(part.metadata) : undefined
  const kept = metadata === undefined ? {} : {metadata}
  // Redacted thinking has no words and must be kept all the same.
  if (part.text === '' && (metadata === undefined || part.kind === 'message')) return undefined
  const text = wellFormed(part.text)
  return part.kind === 'message'
    ? {type: 'chat_response', message: text, ...kept}
    : {type: 'chat_response', reasoning: text, ...kept}
}

type ToolCallPiece = Extract<LanguageModelV4StreamPart, {type: 'tool-call'}>

const toCall = (piece: ToolCallPiece): {call: WrittenCall; request: ToolCallRequest} => {
  const parsed = parseArguments(piece.input)
  const invalid = 'invalid' in parsed ? parsed.invalid : undefined
  const fields = {id: piece.toolCallId, name: piece.toolName, arguments: 'invalid' in parsed ? {} : parsed.arguments}
  const metadata = toStoredMetadata(mergeMetadata(undefined, piece.providerMetadata))
  // Events hold an object of arguments; what the model wrote instead is kept beside it.
  const kept = invalid === undefined ? metadata : {...metadata, invalid_arguments: wellFormed(piece.input)}
  return {
    call: {...fields, invalid},
    request: {type: 'tool_call_request', ...fields, ...(kept === undefined ? {} : {metadata: kept})},
  }
}

/** Models send no text at all for a tool without parameters. */
const parseArguments = (input: string): {arguments: Record<string, unknown>} | {invalid: string} => {
  if (input.trim() === '') return {arguments: {}}
  let value: unknown
  try {
    value = JSON.parse(input)
  } catch (error) {
    return {invalid: `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`}
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {invalid: 'The arguments are not a JSON object.'}
  }
  return {arguments: {...wellFormed(value)}}
}

const toUsage = (usage: LanguageModelV4Usage): TokenUsage =>
  definedOnly({
    input_tokens: usage.inputTokens.total,
    cached_input_tokens: usage.inputTokens.cacheRead,
    output_tokens: usage.outputTokens.total,
    reasoning_tokens: usage.outputTokens.reasoning,
  })

/** Adds two counts, key by key. */
export const addUsage = (left: TokenUsage, right: TokenUsage): TokenUsage => {
  const sum = (key: keyof TokenUsage): number | undefined =>
    left[key] === undefined && right[key] === undefined ? undefined : (left[key] ?? 0) + (right[key] ?? 0)
  return definedOnly({
    input_tokens: sum('input_tokens'),
    cached_input_tokens: sum('cached_input_tokens'),
    output_tokens: sum('output_tokens'),
    reasoning_tokens: sum('reasoning_tokens'),
  })
}

const definedOnly = (counts: Readonly<Record<keyof TokenUsage, number | undefined>>): TokenUsage =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined))
