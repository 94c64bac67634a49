import type {LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4FunctionTool} from '@ai-sdk/provider'
import type {Configuration} from '../config/schema.js'
import type {KnownEvent} from '../conversation/event.js'
import {collectAnswer} from './answer-collector.js'
import {systemPrompt} from './system-prompt.js'
import type {ToolQuestion} from './tool.js'
import {projectTranscript, type TranscriptOptions} from './transcript.js'
import type {TokenUsage} from './turn-event.js'

/** An assistant that differs from the turn's own: `conversation.inquiry.assistant`, `questions.<id>.target`. */
export type AssistantOverrides = Configuration['conversation']['inquiry']['assistant']

/** A question of a tool that the assistant answers (facts 9.6). */
export type Inquiry = {
  readonly call: {readonly id: string; readonly name: string}
  readonly question: ToolQuestion
  /** Who answers, over `conversation.inquiry.assistant`. */
  readonly overrides: AssistantOverrides
  /** The conversation so far, the call that asks included. */
  readonly events: readonly KnownEvent[]
  readonly tools: readonly LanguageModelV4FunctionTool[]
}

/** What came of an inquiry; `answer` is undefined when the assistant gave none that fits. */
export type Inquired = {readonly answer: {readonly value: unknown} | undefined; readonly usage: TokenUsage}

/** Asks the assistant in place of the user. */
export interface Inquirer {
  /** @throws JpError `provider_*`, those of opening a model; the signal's reason when it is aborted. */
  ask(inquiry: Inquiry, signal: AbortSignal): Promise<Inquired>
}

/** What asking stands on. */
export type InquirerDeps = {
  /** The assistant of the turn. */
  readonly assistant: Configuration['assistant']
  /** `conversation.inquiry.assistant`. */
  readonly overrides: AssistantOverrides
  readonly attachments: NonNullable<TranscriptOptions['attachments']>
  /** Opens the model of an assistant, or gives the one that is open. */
  readonly openModel: (assistant: AssistantOverrides) => Promise<LanguageModelV4>
}

/** Creates the inquirer of one turn. */
export const createInquirer = ({assistant, overrides: general, attachments, openModel}: InquirerDeps): Inquirer => ({
  async ask(inquiry, signal) {
    const overrides = {...general, ...inquiry.overrides}
    const model = await openModel(overrides)
    const {stream} = await model.doStream({
      prompt: projectTranscript([...inquiry.events, ...pending(inquiry), questionTo(inquiry)], {
        system: systemPrompt({
          ...assistant,
          ...(overrides.system_prompt === undefined ? {} : {system_prompt: overrides.system_prompt}),
          ...(overrides.system_prompt_sections === undefined
            ? {}
            : {system_prompt_sections: overrides.system_prompt_sections}),
        }),
        attachments,
      }),
      // Some providers refuse a history with calls in it when no tools are declared.
      ...(inquiry.tools.length === 0
        ? {}
        : {tools: [...inquiry.tools], toolChoice: toolChoiceOf(overrides.tool_choice)}),
      abortSignal: signal,
    })
    const {text, usage} = await collectAnswer(stream)
    return {answer: answerIn(text, inquiry.question), usage}
  },
})

const toolChoiceOf = (choice: string | undefined): NonNullable<LanguageModelV4CallOptions['toolChoice']> =>
  choice === 'auto' ? {type: 'auto'} : {type: 'none'}

/** Every call that has no result gets one for this prompt: the one that asks, and those that run beside it. */
const pending = ({events, call}: Inquiry): KnownEvent[] => {
  const open = new Map<string, number>()
  for (const event of events) {
    if (event.type === 'tool_call_request') open.set(event.id, (open.get(event.id) ?? 0) + 1)
    if (event.type === 'tool_call_response') open.set(event.id, (open.get(event.id) ?? 0) - 1)
  }
  return [...open].flatMap(([id, count]) => {
    const content = id === call.id ? 'This tool asks a question before it goes on.' : 'This call has not ended yet.'
    return count <= 0 ? [] : [{type: 'tool_call_response', id, content, is_error: false, timestamp: ''} as const]
  })
}

const questionTo = ({call, question}: Inquiry): KnownEvent => ({
  type: 'chat_request',
  timestamp: '',
  content: [
    `The tool ${call.name} asks:`,
    ...(question.preamble === undefined ? [] : [question.preamble]),
    question.text,
    `Answer it in place of the user, from what you know of this conversation. Write JSON only: ${answerShape(question)}.${defaultOf(question)}`,
  ].join('\n\n'),
})

const answerShape = ({answer}: ToolQuestion): string => {
  if (answer.type === 'select') return answer.options.map((option) => JSON.stringify({answer: option})).join(' or ')
  return answer.type === 'boolean' ? '{"answer": true} or {"answer": false}' : '{"answer": "…"}'
}

const defaultOf = ({default: byDefault}: ToolQuestion): string =>
  byDefault === undefined ? '' : ` When you can't tell, the answer is ${JSON.stringify(byDefault)}.`

/** The answer in a model's words, also inside a fence; undefined when it does not fit the question. Pure. */
export const answerIn = (text: string, {answer}: ToolQuestion): {readonly value: unknown} | undefined => {
  const value = answerField(text)
  switch (answer.type) {
    case 'boolean':
      return typeof value === 'boolean' ? {value} : undefined
    case 'select':
      return typeof value === 'string' && answer.options.includes(value) ? {value} : undefined
    case 'text':
      return typeof value === 'string' ? {value} : undefined
  }
}

const answerField = (text: string): unknown => {
  const json = /\{[^]*\}/.exec(text)?.[0]
  if (json === undefined) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && 'answer' in value ? value.answer : undefined
  } catch {
    return undefined
  }
}
