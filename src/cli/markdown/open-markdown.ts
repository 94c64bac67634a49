import type {Paint} from '../paint.js'
import {createMarkdownStream, type MarkdownStream} from './markdown-stream.js'
import {type Drawing, renderBlock} from './render-block.js'

/** How Markdown is drawn. */
export type MarkdownSettings = {
  readonly paint: Paint
  /** Unit: columns. 0 is unknown. */
  readonly terminalWidth: number
  /** `style.markdown.wrap_width`; 0 never wraps. Unit: columns. */
  readonly wrapWidth: number
  readonly colorsCode: boolean
}

/** Loads what drawing Markdown takes, and gives what opens a stream for each part of an answer. */
export const loadMarkdown = async (settings: MarkdownSettings): Promise<() => MarkdownStream> => {
  const [{default: wrapAnsi}, {default: measure}, highlighting] = await Promise.all([
    import('wrap-ansi'),
    import('string-width'),
    settings.colorsCode ? import('highlight.js/lib/common') : undefined,
  ])
  const {paint, terminalWidth, wrapWidth} = settings
  const drawing: Drawing = {
    paint,
    width: wrapWidth === 0 ? 0 : Math.min(wrapWidth, terminalWidth === 0 ? wrapWidth : terminalWidth),
    wrap: (text, width) => wrapAnsi(text, width, {hard: false}),
    measure,
    hljs: highlighting?.default,
  }
  return () => createMarkdownStream((block) => renderBlock(block, drawing))
}
