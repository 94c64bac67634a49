import type {ErrorCode} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'

/** What is known of a failed call to a provider. */
export type ProviderFailure = {
  readonly message: string
  readonly hint?: string | undefined
  /** True when the same call may succeed later: only then is it made again. */
  readonly transient: boolean
  /** How long the provider asks to wait. Unit: milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** The HTTP status, when there was an answer. */
  readonly status?: number | undefined
  readonly cause?: unknown
}

/** The {@link JpError} of a failed call; what decides about a retry travels in its details. */
export const providerError = (code: ErrorCode, failure: ProviderFailure): JpError =>
  new JpError(code, failure.message, {
    hint: failure.hint,
    cause: failure.cause,
    details: {
      transient: failure.transient,
      ...(failure.status === undefined ? {} : {status: failure.status}),
      ...(failure.retryAfterMs === undefined ? {} : {retry_after_ms: failure.retryAfterMs}),
    },
  })

/** True when the call that failed so may be made again. */
export const isTransient = (error: JpError): boolean => error.details['transient'] === true

/** How long the provider asked to wait before the next call; undefined when it did not say. Unit: milliseconds. */
export const retryAfterMsOf = (error: JpError): number | undefined => {
  const ms = error.details['retry_after_ms']
  return typeof ms === 'number' ? ms : undefined
}
