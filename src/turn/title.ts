import type {LanguageModelV4} from '@ai-sdk/provider'
import {collectAnswer} from './answer-collector.js'
import type {JsonSchema} from './json-schema.js'

const schema: JsonSchema = {
  type: 'object',
  properties: {titles: {type: 'array', items: {type: 'string'}}},
  required: ['titles'],
  additionalProperties: false,
}

const systemFor = (count: number): string => {
  const titles = count === 1 ? 'one title' : `${count} different titles, the best one first, each`
  return `You name conversations. Answer with JSON only: {"titles": ["…"]}, ${titles} of three to eight words in the language of the message, without quotes and without a full stop.`
}

/** How much of the message the model is shown, and how long a title may be. Unit: UTF-16 code units. */
const maxShownUnits = 4000
const maxTitleUnits = 80

/**
 * Asks a model for the title of a conversation that begins with this message (W28); undefined when its answer holds none.
 * @throws JpError `provider_*`; the signal's reason when it is aborted.
 */
export const titleFor = async (
  message: string,
  model: LanguageModelV4,
  signal: AbortSignal,
): Promise<string | undefined> => (await titlesFor(message, 1, {model, signal}))[0]

/** As {@link titleFor}, for several titles to choose from, the best one first; empty when the answer holds none. */
export const titlesFor = async (
  message: string,
  count: number,
  {model, signal}: {readonly model: LanguageModelV4; readonly signal: AbortSignal},
): Promise<readonly string[]> => {
  const {stream} = await model.doStream({
    prompt: [
      {role: 'system', content: systemFor(count)},
      {role: 'user', content: [{type: 'text', text: message.slice(0, maxShownUnits).toWellFormed()}]},
    ],
    responseFormat: {type: 'json', schema},
    reasoning: 'low',
    abortSignal: signal,
  })
  const {text} = await collectAnswer(stream)
  return titlesIn(text).slice(0, count)
}

/** The titles in an answer: of the JSON that was asked for, also inside a fence; never a whole sentence of something else. */
export const titlesIn = (answer: string): readonly string[] => {
  const json = /\{[^]*\}/.exec(answer)?.[0]
  if (json === undefined) return []
  try {
    const value: unknown = JSON.parse(json)
    const titles: unknown = typeof value === 'object' && value !== null && 'titles' in value ? value.titles : undefined
    return Array.isArray(titles)
      ? titles.flatMap((title) => (typeof title === 'string' ? (cleaned(title) ?? []) : []))
      : []
  } catch {
    return []
  }
}

const cleaned = (title: string): string | undefined => {
  const line = title.replaceAll(/\s+/g, ' ').trim()
  return line === '' ? undefined : line.slice(0, maxTitleUnits).toWellFormed().trim()
}
