import type {ErrorCode} from './catalogue.js'

/** What may stand beside the message of a {@link JpError}. */
export type JpErrorOptions = {
  /** What to do next: one sentence or one pasteable command a line. */
  hint?: string | undefined
  cause?: unknown
  /** The subject fields that a peer needs, in wire spelling (`roots`, `last_root`, `workspaceCwd`). */
  details?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The one error class of jp. The code is the contract, the message says what happened with its path or id,
 * the hint says what to do next. Any other error that reaches a border is a bug in jp and becomes `internal`.
 */
export class JpError extends Error {
  override readonly name = 'JpError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: JpErrorOptions = {}) {
    super(message, {cause: options.cause})
    this.code = code
    this.hint = options.hint
    this.details = options.details ?? {}
  }
}

/** True for a {@link JpError} with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is JpError =>
  error instanceof JpError && codes.includes(error.code)
