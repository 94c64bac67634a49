import {forTerminal, forTerminalLine} from '../platform/sanitise.js'
import type {OutputFormat} from './global-flags.js'
import {createPaint, type Paint} from './paint.js'
import {type Column, renderTable} from './table.js'

/** What a format comes to once `auto` is settled. */
export type SettledFormat = Exclude<OutputFormat, 'auto'>

/** Where talk goes by what it is: chrome is silenced by `--quiet`, an error never. */
export type Channel = 'answer' | 'chrome' | 'error'

/** A stream that text is written to; `process.stdout` in the product. */
export interface TextStream {
  write(text: string): boolean
  once(event: 'drain', listener: () => void): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The one printer (Q1): the answer goes to stdout, everything else to stderr. */
export interface Output {
  readonly format: SettledFormat
  /** For the answer, and for talk: each stream has colours of its own. */
  readonly paint: Paint
  readonly talkPaint: Paint
  readonly hasColors: {readonly stdout: boolean; readonly stderr: boolean}
  /** How wide to lay out; 0 is unknown. Unit: columns. */
  readonly width: number
  /** True for `json` and `json-pretty`. */
  readonly isJson: boolean
  /** Text of the answer as it is, sanitised by whoever made it; nothing is added. Settles when the stream takes more. */
  write(text: string): Promise<void>
  /** One value as JSON, by the format: a line, or indented. */
  json(value: unknown): void
  /** A list: a bare array in JSON (Q3), a table elsewhere. `none` is what stands there for people when it is empty. */
  list<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: string): void
  /** A detail: the value in JSON, `label  text` lines elsewhere. */
  details(value: unknown, lines: readonly (readonly [label: string, text: string])[]): void
  /** A line of the answer for people and pipes (a path, an id); in JSON the value. */
  line(text: string, value: unknown): void
  /** Talk on stderr, silenced by `--quiet`. */
  note(text: string): void
  warn(text: string): void
  /** A raw problem on stderr, never silenced. */
  alert(text: string): void
  /** Raw chrome on stderr (streamed reasoning, progress), silenced by `--quiet`. */
  chrome(text: string): void
}

/** What an output stands on. */
export type OutputDeps = {
  readonly stdout: TextStream
  readonly stderr: TextStream
  readonly format: OutputFormat
  readonly quiet: boolean
  readonly color: {readonly stdout: boolean; readonly stderr: boolean}
  readonly width: number | undefined
  /** Aborted when the reader of stdout is gone. */
  readonly closed: AbortSignal
}

/** Creates the printer of one run. */
export const createOutput = (deps: OutputDeps): Output => {
  const format = deps.format === 'auto' ? (deps.stdout.isTTY === true ? 'text-pretty' : 'text') : deps.format
  const paint = createPaint(deps.color.stdout)
  const talkPaint = createPaint(deps.color.stderr)
  const isJson = format === 'json' || format === 'json-pretty'
  const width = deps.width ?? deps.stdout.columns ?? 0
  const put = (text: string): void => void deps.stdout.write(text)
  const say = (text: string): void => void deps.stderr.write(text)
  const json = (value: unknown): void =>
    put(`${format === 'json-pretty' ? JSON.stringify(value, undefined, 2) : JSON.stringify(value)}\n`)
  return {
    format,
    paint,
    talkPaint,
    hasColors: deps.color,
    width,
    isJson,
    write: (text) =>
      new Promise((resolve) => {
        if (deps.stdout.write(text) || deps.closed.aborted) return resolve()
        // A reader that is gone never takes more.
        const go = (): void => {
          deps.closed.removeEventListener('abort', go)
          resolve()
        }
        deps.stdout.once('drain', go)
        deps.closed.addEventListener('abort', go, {once: true})
      }),
    json,
    list(rows, columns, none) {
      if (isJson) json(rows)
      else if (rows.length > 0) put(renderTable(rows, columns, {format, paint, width}))
      else if (!deps.quiet) say(`${none}\n`)
    },
    details(value, lines) {
      if (isJson) return json(value)
      const labelWidth = Math.max(0, ...lines.map(([label]) => label.length))
      put(
        lines
          .map(
            ([label, text]) =>
              `${paint('bold', label.padEnd(labelWidth))}  ${forTerminal(text).replaceAll('\n', `\n${' '.repeat(labelWidth + 2)}`)}\n`,
          )
          .join(''),
      )
    },
    line: (text, value) => (isJson ? json(value) : put(`${text}\n`)),
    note: (text) => void (deps.quiet || say(`${forTerminal(text)}\n`)),
    warn: (text) => void (deps.quiet || say(`${talkPaint('yellow', 'Warning:')} ${forTerminal(text)}\n`)),
    alert: say,
    chrome: (text) => void (deps.quiet || say(text)),
  }
}

/** A cell or a label that came from outside, on one line and safe. */
export const cell = forTerminalLine
