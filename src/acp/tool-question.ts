import type {PermissionOption} from '@agentclientprotocol/sdk'
import type {ToolQuestion} from '../turn/tool.js'
import {type ClientPort, choiceOf, interruptible} from './client-port.js'
import {textContent} from './turn-updates.js'

/**
 * Asks the client's user what a tool wants to know: a choice as a permission request, a text as a form where the client
 * has forms. Undefined when it has none.
 * @throws JpError `interrupted` when the question was taken back.
 */
export const answerToolQuestion = async (
  question: ToolQuestion,
  client: ClientPort,
  signal: AbortSignal,
): Promise<unknown> => {
  const {answer} = question
  if (answer.type === 'text') return askForText(question, client, signal)
  const names = answer.type === 'select' ? answer.options : ['Yes', 'No']
  const toolCall = {
    toolCallId: `jp-question-${question.id}`,
    title: question.text,
    kind: 'other' as const,
    status: 'pending' as const,
    ...(question.preamble === undefined ? {} : {content: [textContent(question.preamble)]}),
  }
  const chosen = Number(await choiceOf(client, {toolCall, options: names.map(optionOf)}, signal))
  return answer.type === 'select' ? names[chosen] : chosen === 0
}

const optionOf = (name: string, index: number): PermissionOption => ({
  optionId: String(index),
  name,
  kind: name === 'No' ? 'reject_once' : 'allow_once',
})

const askForText = async (
  {text, preamble, default: byDefault}: ToolQuestion,
  {capabilities, context, sessionId}: ClientPort,
  signal: AbortSignal,
): Promise<unknown> => {
  if (!capabilities.elicitation?.form) return undefined
  const suggestion = typeof byDefault === 'string' ? {default: byDefault} : {}
  const answer = await interruptible(
    context.request(
      'elicitation/create',
      {
        mode: 'form',
        sessionId,
        message: preamble === undefined ? text : `${preamble}\n\n${text}`,
        requestedSchema: {
          type: 'object',
          properties: {answer: {type: 'string', title: text, ...suggestion}},
          required: ['answer'],
        },
      },
      {cancellationSignal: signal},
    ),
    signal,
  )
  const {content} = 'content' in answer ? answer : {content: undefined}
  return typeof content === 'object' && content !== null && 'answer' in content ? content.answer : undefined
}
