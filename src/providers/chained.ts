import type {LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart} from '@ai-sdk/provider'
import {partStream} from './part-stream.js'

type Part = LanguageModelV4StreamPart
type Finish = Extract<Part, {type: 'finish'}>

/** How often one answer is gone on with. */
const maxLinks = 10

const goOn =
  'Your answer was cut off because it reached its longest. Go on exactly where it stopped: repeat nothing, announce nothing.'

/**
 * A model that goes on when an answer was cut at its longest (`chain_on_max_tokens`): it is asked again, and what comes is
 * given out as one answer. Only words are gone on with: a call of a tool, or data under a schema, is left as it is.
 */
export const createChained = (model: LanguageModelV4): LanguageModelV4 => ({
  ...model,
  doGenerate: (options) => model.doGenerate(options),
  doStream: (options) =>
    options.responseFormat?.type === 'json'
      ? model.doStream(options)
      : Promise.resolve({stream: partStream((signal) => linkAfterLink(model, options, signal), options.abortSignal)}),
})

async function* linkAfterLink(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
): AsyncGenerator<Part, void, undefined> {
  const joint = createJoint()
  let prompt = options.prompt
  for (let link = 0; ; link++) {
    const {stream} = await model.doStream({...options, prompt, abortSignal: signal})
    const seen = {text: '', calls: false}
    let finish: Finish | undefined
    for await (const part of stream) {
      if (part.type === 'text-delta') seen.text += part.delta
      seen.calls ||= part.type === 'tool-call'
      if (part.type === 'finish') finish = part
      else yield* link === 0 ? joint.first(part) : joint.next(part)
    }
    // An error was the last part.
    if (finish === undefined) return
    joint.add(finish)
    const isCut = finish.finishReason.unified === 'length' && !seen.calls && seen.text.trim() !== ''
    if (!isCut || link + 1 === maxLinks) {
      yield* joint.end(finish)
      return
    }
    prompt = [
      ...prompt,
      {role: 'assistant', content: [{type: 'text', text: seen.text}]},
      {role: 'user', content: [{type: 'text', text: goOn}]},
    ]
  }
}

/** Joins the answers of several calls to one: the text that was cut stays open, and what follows goes on in it. */
const createJoint = () => {
  /** The end of the last text, held back until something else follows it. */
  let held: Extract<Part, {type: 'text-end'}> | undefined
  let usage: Finish['usage'] | undefined
  function* release(): Generator<Part, void, undefined> {
    if (held !== undefined) yield held
    held = undefined
  }
  function* first(part: Part): Generator<Part, void, undefined> {
    if (part.type === 'text-end') {
      yield* release()
      held = part
      return
    }
    yield* release()
    yield part
  }
  return {
    first,
    /** A part of a later call: its words go into the open text; how it thought before it went on is nobody's answer. */
    *next(part: Part): Generator<Part, void, undefined> {
      if (passedOver.has(part.type)) return
      if (held === undefined || !part.type.startsWith('text-')) yield* first(part)
      else if (part.type === 'text-delta') yield {...part, id: held.id}
    },
    add(finish: Finish): void {
      usage = usage === undefined ? finish.usage : sum(usage, finish.usage)
    },
    *end(finish: Finish): Generator<Part, void, undefined> {
      yield* release()
      yield usage === undefined ? finish : {...finish, usage}
    },
  }
}

const passedOver: ReadonlySet<Part['type']> = new Set([
  'stream-start',
  'response-metadata',
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
])

const sum = ({inputTokens: a, outputTokens: b}: Finish['usage'], {inputTokens, outputTokens}: Finish['usage']) => ({
  inputTokens: {
    total: plus(a.total, inputTokens.total),
    noCache: plus(a.noCache, inputTokens.noCache),
    cacheRead: plus(a.cacheRead, inputTokens.cacheRead),
    cacheWrite: plus(a.cacheWrite, inputTokens.cacheWrite),
  },
  outputTokens: {
    total: plus(b.total, outputTokens.total),
    text: plus(b.text, outputTokens.text),
    reasoning: plus(b.reasoning, outputTokens.reasoning),
  },
})

const plus = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined ? right : left + (right ?? 0)
