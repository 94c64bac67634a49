import type {LanguageModelV4, LanguageModelV4CallOptions} from '@ai-sdk/provider'
import type {NewEvent} from '../conversation/event.js'
import {JpError} from '../errors/jp-error.js'
import {type AnswerCollector, createAnswerCollector} from './answer-collector.js'
import type {TurnEvent} from './turn-event.js'

/** What one model cycle needs. */
export type CycleDeps = {
  readonly model: LanguageModelV4
  say(event: TurnEvent): Promise<void>
  /** Stores parts and says so. */
  store(parts: readonly NewEvent[]): Promise<void>
  /** What had begun when the signal was aborted is stored too. */
  keepsPartial(): boolean
}

/** How a cycle ended. `cut`: the signal was aborted; `failed`: the model or its connection gave up. */
export type CycleEnd = {readonly collector: AnswerCollector} & (
  | {readonly state: 'finished'}
  | {readonly state: 'cut'}
  | {readonly state: 'failed'; readonly error: unknown}
)

/**
 * Calls the model once and takes its answer: pieces are said as they arrive, whole parts are stored, and what had begun
 * when the stream broke off is stored too, unless it is to be dropped (W24, W27). A failure to store is thrown.
 */
export const runModelCycle = async (
  deps: CycleDeps,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
): Promise<CycleEnd> => {
  const collector = createAnswerCollector()
  const received = await receive(deps, {...options, abortSignal: signal}, collector)
  if (!signal.aborted || deps.keepsPartial()) await deps.store(collector.rest())
  if (signal.aborted) return {collector, state: 'cut'}
  if (received.state === 'failed') return {collector, ...received}
  return collector.finishReason === undefined
    ? {collector, state: 'failed', error: brokenOff()}
    : {collector, state: 'finished'}
}

const brokenOff = (): JpError =>
  new JpError('provider_stream_cut', 'The answer broke off before its end.', {
    hint: 'What came is stored. To go on: jp query "go on"',
  })

type Received = {readonly state: 'ended'} | {readonly state: 'failed'; readonly error: unknown}

const receive = async (
  deps: CycleDeps,
  options: LanguageModelV4CallOptions,
  collector: AnswerCollector,
): Promise<Received> => {
  const pieces = createPieces(deps.model, options)
  try {
    for (;;) {
      const next = await pieces.next()
      if (next.state !== 'piece') return next
      if (next.piece.type === 'error') return {state: 'failed', error: next.piece.error}
      if (next.piece.type === 'stream-start') {
        for (const warning of next.piece.warnings) await deps.say({type: 'warning', message: warningText(warning)})
      }
      const {said, parts} = collector.push(next.piece)
      for (const event of said) await deps.say(event)
      if (parts.length > 0) await deps.store(parts)
    }
  } finally {
    pieces.cancel()
  }
}

type Warning = Parameters<typeof warningText>[0]
const warningText = (warning: {type: string; feature?: string; details?: string; message?: string}): string =>
  warning.message ?? `The model does not take ${warning.feature ?? 'a setting'}${detailOf(warning)}`

const detailOf = (warning: Warning): string => (warning.details === undefined ? '.' : `: ${warning.details}`)

/** The stream of one call. Its own failures are answers, so that a failure to store is never taken for one of them. */
const createPieces = (model: LanguageModelV4, options: LanguageModelV4CallOptions) => {
  let reader: ReadableStreamDefaultReader<StreamPiece> | undefined
  return {
    async next(): Promise<{state: 'piece'; piece: StreamPiece} | Received> {
      try {
        reader ??= (await model.doStream(options)).stream.getReader()
        const {done, value} = await reader.read()
        return done ? {state: 'ended'} : {state: 'piece', piece: value}
      } catch (error) {
        return {state: 'failed', error}
      }
    },
    cancel: (): void => void reader?.cancel().catch(() => undefined),
  }
}

type StreamPiece =
  Awaited<ReturnType<LanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Piece> ? Piece : never
