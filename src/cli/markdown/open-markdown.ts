import type {Configuration} from '../../config/schema.js'
import {createBackground, type Paint} from '../paint.js'
import {createMarkdownStream, type MarkdownStream} from './markdown-stream.js'
import {type Drawing, renderBlock} from './render-block.js'

/** How Markdown is drawn. */
export type MarkdownSettings = {
  readonly paint: Paint
  readonly hasColors: boolean
  /** Unit: columns. 0 is unknown. */
  readonly terminalWidth: number
  /** A width of 0 never wraps. */
  readonly style: Pick<Configuration['style'], 'code' | 'inline_code' | 'markdown'>
}

/** Loads what drawing Markdown takes, and gives what opens a stream for each part of an answer. */
export const loadMarkdown = async (settings: MarkdownSettings): Promise<() => MarkdownStream> => {
  const [{default: wrapAnsi}, {default: measure}, highlighting] = await Promise.all([
    import('wrap-ansi'),
    import('string-width'),
    settings.style.code.color ? import('highlight.js/lib/common') : undefined,
  ])
  const {paint, terminalWidth, hasColors, style} = settings
  const {wrap_width: wrapWidth, table_max_column_width: columnWidth, hr_style: rule} = style.markdown
  const drawing: Drawing = {
    paint,
    behindCode: createBackground(hasColors, style.inline_code.background),
    columnWidth,
    rule,
    numbersLines: style.code.line_numbers,
    width: wrapWidth === 0 ? 0 : Math.min(wrapWidth, terminalWidth === 0 ? wrapWidth : terminalWidth),
    wrap: (text, width) => wrapAnsi(text, width, {hard: false}),
    measure,
    hljs: highlighting?.default,
  }
  return () => createMarkdownStream((block) => renderBlock(block, drawing))
}
