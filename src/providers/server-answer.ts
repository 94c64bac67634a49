import type {CallContext} from './call-context.js'
import {isRecord} from './network.js'

/** What a server answered, taken out of a library's error. */
export type ServerAnswer = {
  readonly status: number | undefined
  readonly message: string
  /** The provider's own word for the failure: `insufficient_quota`, `overloaded_error`. */
  readonly kind: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly cause: unknown
}

/** Reads the answer out of an error of a provider's package, or out of an error event of its stream. */
export const answerOf = (thrown: unknown, status: number | undefined, context: CallContext): ServerAnswer => {
  const fields: Readonly<Record<string, unknown>> = isObject(thrown) ? {...thrown} : {}
  const data = isRecord(fields['data']) ? fields['data'] : {}
  const inner = isRecord(data['error']) ? data['error'] : data
  const kinds = [fields['type'], fields['code'], inner['type'], inner['code'], inner['status']]
  const code = Number(fields['code'] ?? inner['code'])
  return {
    status: status ?? (Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined),
    message: context.redact(saidIn(fields['responseBody']) ?? messageOf(thrown)).trim(),
    kind: kinds.filter((kind) => typeof kind === 'string').join(' '),
    headers: isRecord(fields['responseHeaders']) ? fields['responseHeaders'] : {},
    cause: causeOf(thrown, context),
  }
}

/** The words in an error body; servers that resemble a known one often have a shape of their own. */
const saidIn = (body: unknown): string | undefined => {
  if (typeof body !== 'string' || !body.trimStart().startsWith('{')) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  const fields = isRecord(parsed) ? parsed : {}
  const inner = isRecord(fields['error']) ? fields['error'] : {}
  return [inner['message'], fields['error'], fields['message'], fields['detail']].find(
    (words): words is string => typeof words === 'string',
  )
}

/** What is kept for the log: never the request, which holds the whole conversation. */
export const causeOf = (thrown: unknown, context: CallContext): unknown => {
  if (!isObject(thrown)) return thrown
  const fields: Readonly<Record<string, unknown>> = {...thrown}
  const body = typeof fields['responseBody'] === 'string' ? fields['responseBody'].slice(0, 2000) : undefined
  return {
    name: thrown instanceof Error ? thrown.name : 'error',
    message: context.redact(messageOf(thrown)),
    statusCode: fields['statusCode'],
    responseBody: body === undefined ? undefined : context.redact(body),
    code: firstText(causes(thrown), 'code'),
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** What an error says, whatever it is. */
export const messageOf = (thrown: unknown): string =>
  isObject(thrown) && 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : String(thrown)

/** An error and what caused it, outermost first. */
export const causes = (thrown: unknown): object[] => {
  const chain: object[] = []
  for (let at = thrown; isObject(at) && !chain.includes(at); at = 'cause' in at ? at.cause : undefined) chain.push(at)
  return chain
}

/** The first text under this key along a chain of causes. */
export const firstText = (errors: readonly object[], key: string): string | undefined => {
  const values = errors.map((error): unknown => Reflect.get(error, key))
  return values.find((value): value is string => typeof value === 'string')
}

/** The first number under this key along a chain of causes. */
export const firstNumber = (errors: readonly object[], key: string): number | undefined => {
  const values = errors.map((error): unknown => Reflect.get(error, key))
  return values.find((value): value is number => typeof value === 'number')
}
