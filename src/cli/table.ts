import {forTerminalLine} from '../platform/sanitise.js'
import type {Paint} from './paint.js'

/** A column of a list for people. */
export type Column<Row> = {
  readonly title: string
  text(row: Row): string
  /** May be cut when the terminal is too narrow. One column at most. */
  readonly flexible?: boolean
}

/** How a table is laid out. */
export type TableLayout = {
  readonly format: string
  readonly paint: Paint
  /** 0 is unknown: nothing is cut. Unit: columns. */
  readonly width: number
}

/**
 * A table: aligned columns on a terminal (`text-pretty`), a Markdown pipe table in `text`. Cells are sanitised here.
 */
export const renderTable = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  layout: TableLayout,
): string => {
  const titles = columns.map((column) => column.title)
  if (layout.format !== 'text-pretty') return piped(titles, rows, columns)
  const cells = rows.map((row) => columns.map((column) => forTerminalLine(column.text(row))))
  return aligned(titles, cells, columns, layout)
}

/** One look at all cells of a row: a listing can have ten thousand rows. */
const piped = <Row>(titles: readonly string[], rows: readonly Row[], columns: readonly Column<Row>[]): string => {
  let text = `| ${titles.join(' | ')} |\n| ${titles.map(() => '---').join(' | ')} |\n`
  for (const row of rows) {
    const cells = columns.map((column) => column.text(row))
    const safe = plainCells.test(cells.join('')) ? cells : cells.map(pipedCell)
    text += `| ${safe.join(' | ')} |\n`
  }
  return text
}

/** Nothing to sanitise, and nothing that ends a cell. */
const plainCells = /^[\u0020-\u007b\u007d\u007e]*$/

const pipedCell = (text: string): string => forTerminalLine(text).replaceAll('|', '\\|')

const gap = 2

const aligned = <Row>(
  titles: readonly string[],
  cells: readonly (readonly string[])[],
  columns: readonly Column<Row>[],
  layout: TableLayout,
): string => {
  const widths = titles.map((title, index) =>
    Math.max(displayWidth(title), ...cells.map((texts) => displayWidth(texts[index] ?? ''))),
  )
  const flexible = columns.findIndex((column) => column.flexible === true)
  const total = widths.reduce((sum, width) => sum + width + gap, -gap)
  if (layout.width > 0 && total > layout.width && flexible !== -1) {
    widths[flexible] = Math.max(8, (widths[flexible] ?? 0) - (total - layout.width))
  }
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => padded(text, widths[index] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd()
  const head = layout.paint('bold', line(titles))
  return `${[head, ...cells.map(line)].join('\n')}\n`
}

const padded = (text: string, width: number): string => {
  const shown = displayWidth(text) > width ? `${cut(text, width - 1)}…` : text
  return shown + ' '.repeat(Math.max(0, width - displayWidth(shown)))
}

const segmenter = (): Intl.Segmenter => new Intl.Segmenter(undefined, {granularity: 'grapheme'})

const cut = (text: string, width: number): string => {
  let taken = ''
  for (const {segment} of segmenter().segment(text)) {
    if (displayWidth(taken + segment) > width) break
    taken += segment
  }
  return taken
}

const asciiOnly = /^[\u0020-\u007e]*$/

/**
 * How many columns a text takes on a terminal: wide characters and emoji take two. By hand, since importing string-width
 * takes as long as the whole listing (its emoji expression is compiled at load).
 */
export const displayWidth = (text: string): number => {
  if (asciiOnly.test(text)) return text.length
  const wide =
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u
  let width = 0
  for (const {segment} of segmenter().segment(text)) width += wide.test(segment) ? 2 : /^\p{M}+$/u.test(segment) ? 0 : 1
  return width
}
