import type {LanguageModelV4} from '@ai-sdk/provider'
import {createAnswerCollector} from './answer-collector.js'
import type {JsonSchema} from './json-schema.js'

const schema: JsonSchema = {
  type: 'object',
  properties: {titles: {type: 'array', items: {type: 'string'}}},
  required: ['titles'],
  additionalProperties: false,
}

const system =
  'You name conversations. Answer with JSON only: {"titles": ["…"]}, one title of three to eight words in the language of the message, without quotes and without a full stop.'

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
): Promise<string | undefined> => {
  const {stream} = await model.doStream({
    prompt: [
      {role: 'system', content: system},
      {role: 'user', content: [{type: 'text', text: message.slice(0, maxShownUnits).toWellFormed()}]},
    ],
    responseFormat: {type: 'json', schema},
    reasoning: 'low',
    abortSignal: signal,
  })
  const collector = createAnswerCollector()
  for await (const piece of stream) {
    if (piece.type === 'error') throw piece.error
    collector.push(piece)
  }
  return titleIn(collector.text)
}

/** The title in an answer: of the JSON that was asked for, also inside a fence; never a whole sentence of something else. */
export const titleIn = (answer: string): string | undefined => {
  const json = /\{[^]*\}/.exec(answer)?.[0]
  if (json === undefined) return undefined
  try {
    const value: unknown = JSON.parse(json)
    const titles = typeof value === 'object' && value !== null && 'titles' in value ? value.titles : undefined
    const first: unknown = Array.isArray(titles) ? titles[0] : undefined
    return typeof first === 'string' ? cleaned(first) : undefined
  } catch {
    return undefined
  }
}

const cleaned = (title: string): string | undefined => {
  const line = title.replaceAll(/\s+/g, ' ').trim()
  return line === '' ? undefined : line.slice(0, maxTitleUnits).toWellFormed().trim()
}
