import type {InquiryQuestion} from '../../conversation/event.js'
import {JpError} from '../../errors/jp-error.js'
import type {ToolQuestion} from '../tool.js'
import type {RoundDeps} from '../tool-round.js'
import type {BeltDeps, BeltTool} from './belt-deps.js'

/** The answers that hold for the rest of a turn, by tool and question. */
export type RememberedAnswers = Map<string, unknown>

/** What a question is answered with. */
export type QuestionScene = {
  readonly call: {readonly id: string; readonly name: string}
  readonly tool: BeltTool
  readonly deps: BeltDeps
  readonly round: Pick<RoundDeps, 'history' | 'store' | 'count' | 'definitions'>
  readonly remembered: RememberedAnswers
  readonly signal: AbortSignal
}

/** The answer, and whether a person gave it; or why there is none, for the model to read. */
export type Answered =
  | {readonly value: unknown; readonly by: 'person' | 'rule' | 'assistant'}
  | {readonly problem: string}

/**
 * Answers a question of a tool (facts 9.6): as it was answered before in this turn, as the configuration says, by the
 * user, or by the assistant where `questions.<id>.target` says so. What is meant for the user no model answers: without a
 * person there is no answer (W26, W30).
 */
export const answerQuestion = async (question: ToolQuestion, scene: QuestionScene): Promise<Answered> => {
  const {tool, deps, remembered, signal, call} = scene
  const settings = tool.settings.questions?.[question.id]
  const key = JSON.stringify([call.name, question.id])
  if (remembered.has(key)) return {value: remembered.get(key), by: 'rule'}
  if (settings?.answer !== undefined) return {value: settings.answer, by: 'rule'}
  if (settings?.target !== undefined && settings.target !== 'user') {
    return askAssistant(question, settings.target === 'assistant' ? {} : settings.target, scene)
  }
  const answer = await deps.asker?.answer?.(question, signal)
  if (answer === undefined) return {problem: `The tool asked "${question.text}", and nobody could answer.`}
  if (answer.holdsForTurn === true) remembered.set(key, answer.value)
  return {value: answer.value, by: 'person'}
}

type Overrides = Parameters<NonNullable<BeltDeps['inquirer']>['ask']>[0]['overrides']

/** What the assistant was asked, and what it said, stand in the conversation. */
const askAssistant = async (
  question: ToolQuestion,
  overrides: Overrides,
  {call, deps, round, signal}: QuestionScene,
): Promise<Answered> => {
  if (deps.inquirer === undefined) return {problem: `The tool asked "${question.text}", and no assistant could answer.`}
  const id = `${call.id}.${question.id}`
  const asked = {text: question.text, answer_type: answerType(question)}
  await round.store([
    {
      type: 'inquiry_request',
      id,
      source: {source: 'tool', name: call.name},
      question: question.default === undefined ? asked : {...asked, default: question.default},
    },
  ])
  try {
    const inquiry = {call, question, overrides, events: round.history(), tools: round.definitions}
    const {answer, usage} = await deps.inquirer.ask(inquiry, signal)
    await round.count(usage)
    if (answer === undefined) {
      return {problem: `The tool asked "${question.text}", and the assistant gave no answer that fits.`}
    }
    await round.store([{type: 'inquiry_response', id, answer: answer.value}])
    return {value: answer.value, by: 'assistant'}
  } catch (error) {
    if (!signal.aborted && !(error instanceof JpError)) throw error
    return {problem: `The tool asked "${question.text}", and the assistant could not be asked: ${textOf(error)}`}
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const answerType = ({answer}: ToolQuestion): InquiryQuestion['answer_type'] =>
  answer.type === 'select' ? {type: 'select', options: answer.options.map((value) => ({value}))} : {type: answer.type}
