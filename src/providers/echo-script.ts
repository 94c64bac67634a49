import {JpError} from '../errors/jp-error.js'
import {nearest} from '../platform/nearest.js'

/** How an `error` step fails: the failures that real providers have, by the words of jp's error codes. */
export const echoErrorKinds = [
  'unauthorised',
  'rate_limited',
  'failed',
  'refused',
  'unreachable',
  'misbehaved',
] as const satisfies readonly string[]

/** One thing that the echo provider does. */
export type EchoStep =
  | {
      readonly does: 'text' | 'reasoning'
      readonly text: string
      /** Code points a piece; undefined: words. */
      readonly chunk: number | undefined
      readonly repeat: number
      /** Before every piece. Unit: milliseconds. */
      readonly delayMs: number
    }
  | {readonly does: 'echo'}
  | {readonly does: 'wait'; readonly ms: number}
  | {readonly does: 'call'; readonly name: string; readonly id: string | undefined; readonly input: string}
  | {
      readonly does: 'fail'
      readonly kind: (typeof echoErrorKinds)[number]
      readonly message: string | undefined
      readonly retryAfterMs: number | undefined
    }
  | {readonly does: 'stall'}
  | {readonly does: 'cut'}
  | {readonly does: 'end'; readonly reason: 'stop' | 'length' | 'content-filter'}

/** What one call to the model plays. */
export type EchoResponse = readonly EchoStep[]

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a script (docs/echo.md) and cuts it into responses: a response ends with `end`, `error`, `stall` or `cut`, and
 * after its tool calls, because a model then waits for their results.
 * @param source names the script in messages.
 * @throws JpError `config_malformed` (no JSON), `config_invalid` (no such step).
 */
export const parseEchoScript = (text: string, source: string): EchoResponse[] => {
  let script: unknown
  try {
    script = JSON.parse(text)
  } catch (error) {
    throw new JpError('config_malformed', `The echo script ${source} is not JSON.`, {cause: error})
  }
  if (!Array.isArray(script)) {
    throw new JpError('config_invalid', `The echo script ${source} is not a list of steps.`, {
      hint: '[{"text": "Hello."}]',
    })
  }
  return cutIntoResponses(script.map((step, index) => readStep(step, `Step ${index + 1} of the echo script ${source}`)))
}

const cutIntoResponses = (steps: readonly EchoStep[]): EchoResponse[] => {
  const responses: EchoStep[][] = [[]]
  let called = false
  for (const step of steps) {
    if (called && (step.does === 'text' || step.does === 'reasoning' || step.does === 'echo')) {
      responses.push([])
      called = false
    }
    responses.at(-1)?.push(step)
    called ||= step.does === 'call'
    if (['end', 'fail', 'stall', 'cut'].includes(step.does)) {
      responses.push([])
      called = false
    }
  }
  return responses.filter((response) => response.length > 0)
}

/** The key that says what a step is, and what may stand beside it. */
const readers = {
  text: (step, what) => readWords('text', step, what),
  reasoning: (step, what) => readWords('reasoning', step, what),
  data: (step) => ({does: 'text', text: JSON.stringify(step['data']), chunk: undefined, repeat: 1, delayMs: 0}),
  echo: () => ({does: 'echo'}),
  tool_call: (step, what) => readCall(step['tool_call'], what),
  error: (step, what) => readError(step['error'], what),
  stall: () => ({does: 'stall'}),
  cut: () => ({does: 'cut'}),
  end: (step, what) => ({
    does: 'end',
    reason: oneOf(step['end'], ['stop', 'length', 'content-filter'], `${what}: end`),
  }),
  delay_ms: (step, what) => ({does: 'wait', ms: numberOf(step, 'delay_ms', 0, what)}),
} as const satisfies Record<string, (step: Fields, what: string) => EchoStep>

const readStep = (step: unknown, what: string): EchoStep => {
  const fields = fieldsOf(step, what)
  for (const [key, read] of Object.entries(readers)) if (key in fields) return read(fields, what)
  const [first = ''] = Object.keys(fields)
  const close = nearest(first, Object.keys(readers))
  throw new JpError('config_invalid', `${what} has none of ${Object.keys(readers).join(', ')}.`, {
    hint: close === undefined ? 'docs/echo.md lists the steps.' : `Did you mean "${close}"?`,
  })
}

const readWords = (does: 'text' | 'reasoning', step: Fields, what: string): EchoStep => ({
  does,
  text: stringOf(step[does], `${what}: ${does}`),
  chunk: step['chunk'] === undefined ? undefined : Math.max(1, numberOf(step, 'chunk', 1, what)),
  repeat: numberOf(step, 'repeat', 1, what),
  delayMs: numberOf(step, 'delay_ms', 0, what),
})

const readCall = (call: unknown, what: string): EchoStep => {
  const fields = fieldsOf(call, `${what}: tool_call`)
  const input = fields['arguments'] ?? {}
  return {
    does: 'call',
    name: stringOf(fields['name'], `${what}: tool_call.name`),
    id: fields['id'] === undefined ? undefined : stringOf(fields['id'], `${what}: tool_call.id`),
    // A text stands for arguments that are not JSON: what some models send.
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }
}

const readError = (error: unknown, what: string): EchoStep => {
  const fields = typeof error === 'string' ? {kind: error} : fieldsOf(error, `${what}: error`)
  return {
    does: 'fail',
    kind: oneOf(fields['kind'], echoErrorKinds, `${what}: error.kind`),
    message: fields['message'] === undefined ? undefined : stringOf(fields['message'], `${what}: error.message`),
    retryAfterMs:
      fields['retry_after_secs'] === undefined ? undefined : 1000 * numberOf(fields, 'retry_after_secs', 0, what),
  }
}

const fieldsOf = (value: unknown, what: string): Fields => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return {...value}
  throw new JpError('config_invalid', `${what} is not an object.`)
}

const stringOf = (value: unknown, what: string): string => {
  if (typeof value === 'string') return value
  throw new JpError('config_invalid', `${what} is not a text.`)
}

const numberOf = (fields: Fields, key: string, fallback: number, what: string): number => {
  const value = fields[key] ?? fallback
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new JpError('config_invalid', `${what}: ${key} is not a number from 0 on.`)
}

const oneOf = <Word extends string>(value: unknown, words: readonly Word[], what: string): Word => {
  const found = words.find((word) => word === value)
  if (found !== undefined) return found
  throw new JpError('config_invalid', `${what} is none of ${words.join(', ')}.`)
}
