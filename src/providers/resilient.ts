import type {LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart} from '@ai-sdk/provider'
import {JpError} from '../errors/jp-error.js'
import {pause} from '../platform/pause.js'
import {nameFailure} from './name-failure.js'
import {createTry, type TryDeps} from './one-try.js'
import {partStream} from './part-stream.js'
import {isTransient, retryAfterMsOf} from './provider-error.js'
import type {RequestSettings, RetryNotice} from './provider-settings.js'

/** What a resilient model is made of. */
export type ResilientDeps = TryDeps & {readonly onRetry: ((notice: RetryNotice) => void) | undefined}

/**
 * A model that asks again when a call fails for a passing reason: a lost connection, 429, 5xx, silence, a stream without
 * an end (facts 9.3). It never asks again once content was given out. Its `doStream` does not reject: a failure is the
 * last part of the stream, an `error` with a JpError; after an abort the stream fails with the signal's reason.
 */
export const createResilient = (raw: LanguageModelV4, deps: ResilientDeps): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: raw.provider,
  modelId: raw.modelId,
  supportedUrls: raw.supportedUrls,
  doGenerate: () => Promise.reject(new JpError('internal', 'A model of jp is asked through doStream.')),
  doStream: (options) =>
    Promise.resolve({stream: partStream((signal) => askUntilDone(raw, options, signal, deps), options.abortSignal)}),
})

async function* askUntilDone(
  raw: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
  deps: ResilientDeps,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  const maxRetries = deps.request.max_retries ?? 5
  for (let retry = 0; ; retry++) {
    const attempt = createTry(raw, deps)
    let error: JpError
    try {
      yield* attempt.parts({...options, abortSignal: signal}, signal)
      return
    } catch (thrown) {
      signal.throwIfAborted()
      error = nameFailure(thrown, deps.context)
    }
    if (attempt.gaveContent() || !isTransient(error) || retry >= maxRetries) {
      yield {type: 'error', error}
      return
    }
    const delayMs = backoffMs(retry, error, deps.request)
    deps.onRetry?.({reason: error.message, retry: retry + 1, ofRetries: maxRetries, delayMs})
    await pause(delayMs, signal)
  }
}

const backoffMs = (retry: number, error: JpError, request: RequestSettings): number => {
  const capMs = (request.max_backoff_secs ?? 60) * 1000
  const asked = retryAfterMsOf(error)
  return Math.min(capMs, asked ?? (request.base_backoff_ms ?? 1000) * 2 ** retry)
}
