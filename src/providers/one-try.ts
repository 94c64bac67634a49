import type {LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart} from '@ai-sdk/provider'
import type {CallContext} from './call-context.js'
import {cutStream, stalledStream} from './name-failure.js'
import {providerError} from './provider-error.js'
import type {RequestSettings} from './provider-settings.js'

type Part = LanguageModelV4StreamPart

/** What a try is made of. */
export type TryDeps = {
  readonly request: RequestSettings
  readonly context: CallContext
  /** Called with a function that is to be called whenever bytes arrive. */
  readonly onActivity: (listener: () => void) => void
}

/** One try of a call. */
export interface Try {
  /** The parts up to `finish`. Throws what the call failed with; a stream that merely ends throws too. */
  parts(options: LanguageModelV4CallOptions, signal: AbortSignal): AsyncGenerator<Part, void, undefined>
  /** True once something of the answer was given out: from then on the call can't be made again. */
  gaveContent(): boolean
}

/** Creates a try. Nothing is given out before the first content, so that a try that fails early leaves no trace. */
export const createTry = (raw: LanguageModelV4, deps: TryDeps): Try => {
  let content = false
  return {
    gaveContent: () => content,
    async *parts(options, signal) {
      const early: Part[] = []
      for await (const part of whole(bounded(received(raw, options, signal, deps), deps), deps)) {
        content ||= isContent(part)
        if (!content && part.type !== 'finish') {
          early.push(part)
          continue
        }
        yield* early.splice(0)
        yield part
      }
    },
  }
}

const isContent = (part: Part): boolean =>
  (part.type === 'text-delta' || part.type === 'reasoning-delta') && part.delta === ''
    ? false
    : ['text-delta', 'reasoning-delta', 'tool-input-start', 'tool-call', 'file', 'source'].includes(part.type)

/** The parts as they come, under the idle timeout, which only runs while a part is waited for. */
async function* received(
  raw: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
  deps: TryDeps,
): AsyncGenerator<Part, void, undefined> {
  const idle = createIdleTimer(deps)
  const inner = AbortSignal.any([signal, idle.signal])
  try {
    const {stream} = await idle.watch(Promise.resolve(raw.doStream({...options, abortSignal: inner})), inner)
    const reader = stream.getReader()
    try {
      for (;;) {
        const next = await idle.watch(reader.read(), inner)
        if (next.done) return
        yield next.value
      }
    } finally {
      reader.cancel().catch(() => undefined)
    }
  } catch (error) {
    // A provider's package may bury the reason of an abort in an error of its own.
    throw idle.signal.aborted ? idle.signal.reason : error
  }
}

const createIdleTimer = (deps: TryDeps) => {
  const seconds = deps.request.stream_idle_timeout_secs ?? 60
  const expired = new AbortController()
  let timer: NodeJS.Timeout | undefined
  deps.onActivity(() => timer?.refresh())
  return {
    signal: expired.signal,
    /** Waits for the promise, but no longer than until `inner` is aborted. */
    async watch<Value>(promise: Promise<Value>, inner: AbortSignal): Promise<Value> {
      if (seconds > 0) timer = setTimeout(() => expired.abort(stalledStream(deps.context, seconds)), seconds * 1000)
      let stop: (() => void) | undefined
      const aborted = new Promise<never>((_, reject) => {
        stop = () => reject(inner.reason)
        if (inner.aborted) stop()
        inner.addEventListener('abort', stop)
      })
      try {
        return await Promise.race([promise, aborted])
      } finally {
        clearTimeout(timer)
        timer = undefined
        if (stop !== undefined) inner.removeEventListener('abort', stop)
      }
    },
  }
}

/** Ends an answer that is longer than `max_response_bytes`. */
async function* bounded(parts: AsyncIterable<Part>, deps: TryDeps): AsyncGenerator<Part, void, undefined> {
  const limit = deps.request.max_response_bytes ?? 1024 * 1024
  let bytes = 0
  for await (const part of parts) {
    if ('delta' in part) bytes += Buffer.byteLength(part.delta)
    if (bytes > limit) {
      throw providerError('provider_misbehaved', {
        message: `The answer of ${deps.context.title} is longer than ${limit} bytes.`,
        hint: `jp config set assistant.request.max_response_bytes=${limit * 4}`,
        transient: false,
      })
    }
    yield part
  }
}

/**
 * Lets a stream through that ends with `finish`, and throws at one that does not. A tool call whose arguments are no
 * JSON waits for that end: in a stream that was cut it is half a call. Of a package's warnings only those about a setting
 * that is not taken are for users; the rest tell programmers about other providers' thoughts and known workarounds.
 */
async function* whole(parts: AsyncIterable<Part>, deps: TryDeps): AsyncGenerator<Part, void, undefined> {
  const doubtful: Part[] = []
  for await (const part of parts) {
    if (part.type === 'ping') continue
    if (part.type === 'stream-start') {
      yield {...part, warnings: part.warnings.filter(({type}) => type === 'unsupported')}
      continue
    }
    if (part.type === 'error') throw part.error
    if (part.type === 'tool-call' && !isJson(part.input)) {
      doubtful.push(part)
      continue
    }
    if (part.type === 'finish') {
      if (part.finishReason.unified === 'interrupted') throw cutStream(deps.context)
      yield* doubtful
      yield part
      return
    }
    yield part
  }
  throw cutStream(deps.context)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
