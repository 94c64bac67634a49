import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import type {KnownEvent} from '../conversation/event.js'
import {applyCompactions, type CompactedEvent, type ContentEvent} from './compacted.js'
import {toProviderOptions} from './provider-metadata.js'
import {wellFormed} from './well-formed.js'

/** What stands in the place of a result that never came. The words are those that the existing jp uses. */
export const interruptedResult = 'Tool call was interrupted.'

/** What goes with the history. */
export type TranscriptOptions = {
  readonly system?: string
  /** Stands in front of the first message of the user, where it keeps a provider's prompt cache valid. */
  readonly attachments?: readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[]
}

/**
 * The prompt for a stored stream. Pure. Repairs what a provider would refuse, for this prompt only: the stream itself
 * stays as it is (W18). Whatever the stream holds, the prompt has each tool call exactly once, each followed by exactly
 * one result right after the message that asked; users and assistants alternate; and it begins with the user.
 */
export const projectTranscript = (
  events: readonly KnownEvent[],
  options: TranscriptOptions = {},
): LanguageModelV4Prompt => {
  const compacted = applyCompactions(events)
  const first = compacted.findIndex((event) => event.type === 'chat_request' || event.type === 'summary')
  const kept = first === -1 ? [] : compacted.slice(first)
  const messages = assemble(kept, pairCalls(kept))
  const system: LanguageModelV4Prompt = options.system ? [{role: 'system', content: wellFormed(options.system)}] : []
  return [...system, ...withAttachments(messages, options.attachments ?? [])]
}

type Call = {readonly sentId: string; result: {content: string; is_error: boolean} | undefined}

/**
 * Gives every call its result and an id of its own. Some providers count their ids from zero in every answer; a second
 * call with a known id is sent as `<id>_2`. A result belongs to the last call with its id that has none.
 */
const pairCalls = (events: readonly CompactedEvent[]): Map<CompactedEvent, Call> => {
  const calls = new Map<CompactedEvent, Call>()
  const open = new Map<string, Call[]>()
  const used = new Set<string>()
  for (const event of events) {
    if (event.type === 'tool_call_request') {
      let sentId = event.id
      for (let copy = 2; used.has(sentId); copy++) sentId = `${event.id}_${copy}`
      used.add(sentId)
      const call: Call = {sentId, result: undefined}
      calls.set(event, call)
      open.set(event.id, [...(open.get(event.id) ?? []), call])
    } else if (event.type === 'tool_call_response') {
      const call = open.get(event.id)?.pop()
      if (call !== undefined) call.result = {content: event.content, is_error: event.is_error}
    }
  }
  return calls
}

type AssistantPart = LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart

const assemble = (events: readonly CompactedEvent[], calls: ReadonlyMap<CompactedEvent, Call>) => {
  const messages: LanguageModelV4Message[] = []
  let words: string[] = []
  let parts: AssistantPart[] = []
  let results: LanguageModelV4ToolResultPart[] = []
  let answered = false

  const endUser = (): void => {
    if (words.length > 0) messages.push({role: 'user', content: [{type: 'text', text: words.join('\n\n')}]})
    words = []
  }
  const endAssistant = (): void => {
    const sent = parts.slice(0, parts.findLastIndex((part) => part.type !== 'reasoning') + 1)
    if (sent.length > 0) {
      endUser()
      messages.push({role: 'assistant', content: sent})
    }
    if (results.length > 0) messages.push({role: 'tool', content: results})
    parts = []
    results = []
    answered = false
  }

  for (const event of events) {
    if (event.type === 'tool_call_response') answered = results.length > 0
    else if (event.type === 'chat_request' || event.type === 'summary') {
      endAssistant()
      const text = event.type === 'summary' ? `Summary of the conversation so far:\n\n${event.text}` : event.content
      // Providers refuse a message of white space alone.
      words.push(text.trim() === '' ? '(empty message)' : wellFormed(text))
    } else {
      if (answered) endAssistant()
      const call = calls.get(event)
      const part = event.type === 'chat_response' ? responsePart(event) : callPart(event, call?.sentId ?? event.id)
      if (part !== undefined) parts.push(part)
      if (part?.type === 'tool-call') results.push(resultPart(part, call))
    }
  }
  endAssistant()
  endUser()
  return messages
}

const responsePart = (event: Extract<ContentEvent, {type: 'chat_response'}>): AssistantPart | undefined => {
  const providerOptions = toProviderOptions(event.metadata)
  const extra = providerOptions === undefined ? {} : {providerOptions}
  if ('reasoning' in event) {
    if (event.reasoning === '' && providerOptions === undefined) return undefined
    return {type: 'reasoning', text: wellFormed(event.reasoning), ...extra}
  }
  const text = 'message' in event ? event.message : JSON.stringify(event.data ?? null)
  // Providers refuse a text of white space alone.
  return text.trim() === '' ? undefined : {type: 'text', text: wellFormed(text), ...extra}
}

const callPart = (
  event: Extract<ContentEvent, {type: 'tool_call_request'}>,
  sentId: string,
): LanguageModelV4ToolCallPart => {
  const providerOptions = toProviderOptions(event.metadata)
  return {
    type: 'tool-call',
    toolCallId: sentId,
    toolName: event.name,
    input: wellFormed(event.arguments),
    ...(providerOptions === undefined ? {} : {providerOptions}),
  }
}

const resultPart = (part: LanguageModelV4ToolCallPart, call: Call | undefined): LanguageModelV4ToolResultPart => {
  const result = call?.result ?? {content: interruptedResult, is_error: true}
  return {
    type: 'tool-result',
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    output: {type: result.is_error ? 'error-text' : 'text', value: wellFormed(result.content)},
  }
}

const withAttachments = (
  messages: LanguageModelV4Message[],
  attachments: readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[],
): LanguageModelV4Message[] => {
  const [first, ...rest] = messages
  if (attachments.length === 0 || first?.role !== 'user') return messages
  return [{...first, content: [...attachments, ...first.content]}, ...rest]
}
