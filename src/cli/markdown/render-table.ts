import type {Tokens} from 'marked'
import type {Drawing} from './render-block.js'
import {renderInline} from './render-inline.js'

/** A table with aligned columns; a long cell goes on in the next line. */
export const renderMarkdownTable = (table: Tokens.Table, drawing: Drawing): string => {
  const {paint, measure, wrap, columnWidth} = drawing
  const rows = [table.header, ...table.rows].map((cells) =>
    cells.map((cell) => {
      const text = renderInline(cell.tokens, drawing)
      return (columnWidth === 0 ? text : wrap(text, columnWidth)).split('\n')
    }),
  )
  const widths = table.header.map((_, column) =>
    Math.max(...rows.map((cells) => Math.max(0, ...(cells[column] ?? []).map(measure)))),
  )
  const line = (cells: readonly string[][], at: number): string =>
    widths
      .map((width, column) =>
        aligned(cells[column]?.[at] ?? '', width - measure(cells[column]?.[at] ?? ''), table.align[column]),
      )
      .join('  ')
      .trimEnd()
  const drawn = rows.flatMap((cells, index) => {
    const height = Math.max(1, ...cells.map((cell) => cell.length))
    const lines = Array.from({length: height}, (_, at) => line(cells, at))
    return index === 0 ? [...lines.map((text) => paint('bold', text)), rule(widths, paint)] : lines
  })
  return drawn.join('\n')
}

const rule = (widths: readonly number[], paint: Drawing['paint']): string =>
  paint('dim', widths.map((width) => '─'.repeat(width)).join('  '))

const aligned = (text: string, free: number, side: string | null | undefined): string => {
  if (side === 'right') return ' '.repeat(free) + text
  const left = side === 'center' ? Math.floor(free / 2) : 0
  return ' '.repeat(left) + text + ' '.repeat(free - left)
}
