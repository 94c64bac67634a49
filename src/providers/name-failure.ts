import {JpError} from '../errors/jp-error.js'
import {isLoopback} from '../platform/proxy.js'
import type {CallContext} from './call-context.js'
import {nameStatus} from './name-status.js'
import {isRecord} from './network.js'
import {providerError} from './provider-error.js'
import {answerOf, causeOf, causes, firstNumber, firstText, messageOf} from './server-answer.js'

/**
 * Names a failed call (W24): whatever a provider's package threw, or sent as an `error` part, becomes a {@link JpError}
 * with a message and a hint of its own. Its details say whether the call may be made again.
 */
export const nameFailure = (thrown: unknown, context: CallContext): JpError => {
  if (thrown instanceof JpError) return thrown
  const errors = causes(thrown)
  const errno = firstText(errors, 'code')
  const status = firstNumber(errors, 'statusCode')
  const answered = status !== undefined && status >= 200 && status < 300
  if (isSyntax(errors)) return unreadable(thrown, context)
  if (status !== undefined && !answered) return nameStatus(answerOf(thrown, status, context), context)
  if (answered || isCut(errors)) return cutStream(context, thrown)
  if (errno !== undefined && networkCodes.test(errno)) return unreachable(errno, thrown, context)
  if (isNamed(errors, /APICallError/)) return unreachable(messageOf(errors.at(-1)), thrown, context)
  if (isRecord(thrown) && !(thrown instanceof Error)) return nameStatus(answerOf(thrown, undefined, context), context)
  return providerError('provider_misbehaved', {
    message: `${context.title} could not be asked: ${context.redact(messageOf(thrown))}`,
    transient: false,
    cause: causeOf(thrown, context),
  })
}

/** The stream ended before the answer did. */
export const cutStream = (context: CallContext, cause?: unknown): JpError =>
  providerError('provider_stream_cut', {
    message: `The answer of ${context.title} broke off before its end.`,
    hint: 'What came is kept. Ask again to go on: jp query "go on"',
    transient: true,
    cause: cause === undefined ? undefined : causeOf(cause, context),
  })

/** Nothing came for too long. Unit: seconds. */
export const stalledStream = (context: CallContext, seconds: number): JpError =>
  providerError('provider_stalled', {
    message: `${context.title} sent nothing for ${seconds} s.`,
    hint: 'What came is kept. To wait longer: jp config set assistant.request.stream_idle_timeout_secs=300',
    transient: true,
  })

const networkCodes = /^(?:E[A-Z_]+|UND_ERR_|CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS|ERR_SSL)/

const unreachable = (errno: string, thrown: unknown, context: CallContext): JpError => {
  const url = context.connection?.baseUrl ?? ''
  const local = url !== '' && isLoopback(new URL(url).hostname)
  const refused = errno === 'ECONNREFUSED'
  const reason = refused ? 'nobody listens there' : (reasons[errno] ?? errno)
  const passing = !/^(?:CERT_|DEPTH_|SELF_|UNABLE_|ERR_)/.test(errno)
  const check = `Check the network, the proxy variables, and providers.llm.${context.connection?.provider ?? ''}.base_url.`
  return providerError('provider_unreachable', {
    message: `Can't reach ${context.title} at ${url}: ${reason}.`,
    hint: (refused ? context.connection?.startHint : undefined) ?? check,
    // A local server that is not running does not start by itself: say so at once.
    transient: passing && !(local && refused),
    cause: causeOf(thrown, context),
  })
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name can not be looked up',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  UND_ERR_SOCKET: 'the connection was closed',
  EPIPE: 'the connection was closed',
}

const unreadable = (thrown: unknown, context: CallContext): JpError =>
  providerError('provider_misbehaved', {
    message: `${context.title} sent what is no answer of its API.`,
    hint: `Check that providers.llm.${context.connection?.provider ?? ''}.base_url is the root of an API.`,
    transient: false,
    cause: causeOf(thrown, context),
  })

const isNamed = (errors: readonly object[], pattern: RegExp): boolean =>
  errors.some((error) => error instanceof Error && pattern.test(error.name))

const isSyntax = (errors: readonly object[]): boolean => isNamed(errors, /JSONParse|TypeValidation|SyntaxError/)

const isCut = (errors: readonly object[]): boolean => isNamed(errors, /InvalidResponseData|EmptyResponseBody/)
