import {resolve} from 'node:path'
import type {
  LanguageModelV4,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type {ErrorCode} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'
import {readText} from '../platform/files.js'
import {variable} from '../platform/host-environment.js'
import {formatModelId, type ModelId} from '../platform/model-id.js'
import {pause} from '../platform/pause.js'
import type {CallContext} from './call-context.js'
import type {EchoResponse, EchoStep, echoErrorKinds} from './echo-script.js'
import {partStream} from './part-stream.js'
import {providerError} from './provider-error.js'
import type {ProviderDeps, ProviderEntry, ProviderSettings} from './provider-settings.js'

/**
 * The provider that needs no network and no key (W25): it streams the text of the last user message back, white space
 * kept. With a script (`JP_ECHO_SCRIPT`, then `providers.llm.echo.script`) each call plays the script's next response;
 * when they are used up it echoes again. A script is read when the model is opened, and played from its start.
 * @throws JpError `config_malformed`, `config_invalid`, and those of reading a file.
 */
export const openEcho = async (
  id: ModelId,
  settings: ProviderSettings,
  deps: ProviderDeps,
): Promise<{model: LanguageModelV4; context: CallContext}> => {
  const model = createEcho(id.name, await loadScript(settings.providers[id.provider] ?? {}, deps))
  return {model, context: {title: 'Echo', model: formatModelId(id), connection: undefined, redact: (text) => text}}
}

const createEcho = (name: string, responses: readonly EchoResponse[]): LanguageModelV4 => {
  let calls = 0
  return {
    specificationVersion: 'v4',
    provider: 'echo',
    modelId: name,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new JpError('internal', 'The echo provider only streams.')),
    doStream: (options) => {
      const response = responses[calls++] ?? [{does: 'echo'}]
      return Promise.resolve({
        stream: partStream((signal) => play(response, options.prompt, signal), options.abortSignal),
      })
    },
  }
}

const loadScript = async (entry: ProviderEntry, deps: ProviderDeps): Promise<EchoResponse[]> => {
  const named = variable(deps.environment, 'JP_ECHO_SCRIPT')
  if (named === undefined && entry.script === undefined) return []
  const path = named === undefined ? resolve(deps.configCwd, entry.script ?? '') : resolve(deps.environment.cwd, named)
  const {parseEchoScript} = await import('./echo-script.js')
  return parseEchoScript(readText(path), path)
}

async function* play(
  response: EchoResponse,
  prompt: LanguageModelV4Prompt,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  let calls = callsIn(prompt)
  let output = 0
  let finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' = 'stop'
  yield {type: 'stream-start', warnings: []}
  for (const [index, written] of response.entries()) {
    const step = written.does === 'echo' ? {...plainText, text: lastUserText(prompt)} : written
    if (step.does === 'cut') return
    if (step.does === 'call') finish = 'tool-calls'
    if (step.does === 'end') finish = step.reason
    const id = step.does === 'call' ? (step.id ?? `call_${(calls += 1)}`) : String(index)
    for await (const part of playStep(step, id, signal)) {
      if ('delta' in part) output += 1
      yield part
      if (part.type === 'error') return
    }
  }
  yield {type: 'finish', finishReason: {unified: finish, raw: finish}, usage: usageOf(wordsIn(prompt), output)}
}

const plainText = {does: 'text', chunk: undefined, repeat: 1, delayMs: 0} as const

async function* playStep(
  step: EchoStep,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  signal.throwIfAborted()
  if (step.does === 'text' || step.does === 'reasoning') {
    yield* playWords(step, id, signal)
  } else if (step.does === 'wait') {
    await pause(step.ms, signal)
  } else if (step.does === 'stall') {
    await pause(longestTimerMs, signal)
  } else if (step.does === 'call') {
    yield {type: 'tool-input-start', id, toolName: step.name}
    yield {type: 'tool-input-delta', id, delta: step.input}
    yield {type: 'tool-input-end', id}
    yield {type: 'tool-call', toolCallId: id, toolName: step.name, input: step.input}
  } else if (step.does === 'fail') {
    yield {type: 'error', error: scriptedFailure(step)}
  }
}

/** What `setTimeout` can wait: 24 days. It also keeps the process alive. */
const longestTimerMs = 2 ** 31 - 1

async function* playWords(
  step: Extract<EchoStep, {does: 'text' | 'reasoning'}>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  yield {type: `${step.does}-start`, id}
  for (let n = 0; n < step.repeat; n++) {
    for (const delta of piecesOf(repeated(step, n), step.chunk)) {
      if (step.delayMs > 0) await pause(step.delayMs, signal)
      signal.throwIfAborted()
      yield {type: `${step.does}-delta`, id, delta}
    }
  }
  yield {type: `${step.does}-end`, id}
}

const repeated = (step: {readonly text: string; readonly repeat: number}, n: number): string =>
  step.repeat === 1 ? step.text : step.text.replaceAll('{n}', String(n))

/** The text in small pieces that join to it again: by `chunk` code points, or by words with the space behind them. */
const piecesOf = function* (text: string, chunk: number | undefined): Generator<string, void, undefined> {
  const pattern = chunk === undefined ? /\S{1,24}\s*|\s+/gu : new RegExp(`[^]{1,${chunk}}`, 'gu')
  for (const match of text.matchAll(pattern)) yield match[0]
}

const failures: Record<(typeof echoErrorKinds)[number], {code: ErrorCode; transient: boolean; message: string}> = {
  unauthorised: {code: 'provider_unauthorised', transient: false, message: 'Echo refused the key.'},
  rate_limited: {code: 'provider_rate_limited', transient: true, message: 'Echo is asked too often.'},
  failed: {code: 'provider_failed', transient: true, message: 'Echo has a failure of its own.'},
  refused: {code: 'provider_refused', transient: false, message: 'Echo refused the request.'},
  unreachable: {code: 'provider_unreachable', transient: true, message: "Can't reach Echo."},
  misbehaved: {code: 'provider_misbehaved', transient: false, message: 'Echo sent what nobody can read.'},
}

const scriptedFailure = (step: Extract<EchoStep, {does: 'fail'}>): JpError => {
  const {code, transient, message} = failures[step.kind]
  return providerError(code, {message: step.message ?? message, transient, retryAfterMs: step.retryAfterMs})
}

const lastUserText = (prompt: LanguageModelV4Prompt): string => {
  const last = prompt.findLast((message) => message.role === 'user')
  return last?.role === 'user'
    ? last.content
        .map((part) => (part.type === 'text' && part.providerOptions?.['jp'] === undefined ? part.text : ''))
        .join('')
    : ''
}

const callsIn = (prompt: LanguageModelV4Prompt): number =>
  prompt
    .flatMap((message) => (message.role === 'assistant' ? message.content : []))
    .filter((part) => part.type === 'tool-call').length

/** What counts as tokens for a model without a tokeniser: the words of all texts. */
const wordsIn = (prompt: LanguageModelV4Prompt): number => {
  const texts = prompt.flatMap((message) => {
    if (message.role === 'system') return [message.content]
    return message.content.map((part) => ('text' in part ? part.text : ''))
  })
  return texts.reduce((sum, text) => sum + (text.match(/\S+/g) ?? []).length, 0)
}

const usageOf = (input: number, output: number): LanguageModelV4Usage => ({
  inputTokens: {total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined},
  outputTokens: {total: output, text: output, reasoning: undefined},
})
