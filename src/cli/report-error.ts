import {stripVTControlCharacters} from 'node:util'
import {JpError} from '../errors/jp-error.js'
import {forTerminal} from '../platform/sanitise.js'
import {exitCodeFor} from './exit-codes.js'
import {createPaint} from './paint.js'

/** How an error is told. */
export type ErrorReport = {
  readonly format: 'text' | 'json'
  readonly color: boolean
  /** Show the stack: `-vv`. */
  readonly showStack: boolean
}

/** Any thrown value as a {@link JpError}; what is none becomes `internal`, or `usage` when oclif's parser threw it. */
export const toJpError = (error: unknown): JpError => {
  if (error instanceof JpError) return error
  if (isParserError(error))
    return new JpError('usage', parserMessage(error.message), {cause: error, hint: 'Add --help to see what it takes.'})
  const message = error instanceof Error ? error.message : String(error)
  return new JpError('internal', `Something went wrong inside jp: ${firstLine(message)}`, {
    cause: error,
    hint: 'Run it again with -vv to see where, and report it: this is a bug in jp.',
  })
}

/** The text on stderr for an error, and the exit code of jp (Q2, Q3, Q4). */
export const reportError = (error: JpError, report: ErrorReport): {text: string; exitCode: number} => {
  const exitCode = exitCodeFor(error.code)
  if (report.format === 'json') {
    const body = {code: error.code, message: error.message, hint: error.hint, exit_code: exitCode, ...error.details}
    return {text: `${JSON.stringify(body)}\n`, exitCode}
  }
  const paint = createPaint(report.color)
  const lines = [`${paint('red', 'Error:')} ${forTerminal(error.message)}`]
  if (error.hint !== undefined)
    lines.push(
      ...forTerminal(error.hint)
        .split('\n')
        .map((line) => `  ${line}`),
    )
  if (report.showStack) lines.push(forTerminal(stackOf(error)))
  return {text: `${lines.join('\n')}\n`, exitCode}
}

/** The stack of an error and of its causes. */
export const stackOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\nCaused by: ${stackOf(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}

/** What oclif's parser says. Reasons stand below a heading there, dimmed: they are what is to be told. */
const parserMessage = (message: string): string => {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('See more help'))
  const [first = message, ...reasons] = lines
  return /^The following errors? occurred:$/.test(first) ? reasons.map(shortReason).join('\n') : first
}

const shortReason = (reason: string): string => {
  const [, one, other] = /^--([\w-]+)(?:=.*)? cannot also be provided when using --([\w-]+)$/.exec(reason) ?? []
  if (one !== undefined && other !== undefined) return `--${other} and --${one} exclude each other.`
  const [, flag, needed] = /^All of the following must be provided when using --([\w-]+): (.+)$/.exec(reason) ?? []
  return flag === undefined || needed === undefined ? reason : `--${flag} needs ${needed}.`
}

const firstLine = (text: string): string => text.split('\n').filter((line) => line.trim() !== '')[0] ?? text

/** oclif's parse errors carry an exit code of 2; nothing else that we run does. */
const isParserError = (error: unknown): error is Error =>
  error instanceof Error && 'oclif' in error && (error as {oclif?: {exit?: number}}).oclif?.exit === 2
