import type {HLJSApi} from 'highlight.js'
import type {Token, Tokens} from 'marked'
import {highlight} from './highlight.js'
import {type InlineDrawing, renderInline} from './render-inline.js'
import {renderMarkdownTable} from './render-table.js'

/** What blocks are drawn with. */
export type Drawing = InlineDrawing & {
  /** Where lines are wrapped; 0 never. Unit: columns. */
  readonly width: number
  readonly wrap: (text: string, width: number) => string
  /** How many columns a text takes. */
  readonly measure: (text: string) => number
  /** The widest column of a table; 0 is any. Unit: columns. */
  readonly columnWidth: number
  /** A rule as a line, or as it is written. */
  readonly rule: 'line' | 'markdown'
  readonly numbersLines: boolean
  /** Undefined: code is not coloured. */
  readonly hljs: HLJSApi | undefined
}

/** One block of Markdown for a terminal, without a newline at its end. */
export const renderBlock = (block: Token, drawing: Drawing): string => {
  const {paint} = drawing
  switch (block.type) {
    case 'heading':
      // Underlined headings begin like a paragraph, and may have been begun as one.
      if (/\n *(=+|-+)\s*$/.test(block.raw))
        return `${wrapped(inline(block, drawing), drawing)}\n${paint('dim', '─'.repeat(8))}`
      return paint('bold', `${'#'.repeat((block as Tokens.Heading).depth)} ${inline(block, drawing)}`)
    case 'code':
      return renderCode(block as Tokens.Code, drawing)
    case 'blockquote':
      return prefixed(blocksOf(block, narrower(drawing, 2)), paint('dim', '│ '))
    case 'list':
      return renderList(block as Tokens.List, drawing)
    case 'table':
      return renderMarkdownTable(block as Tokens.Table, drawing)
    case 'hr':
      return paint('dim', drawing.rule === 'markdown' ? '---' : '─'.repeat(ruleWidth(drawing)))
    case 'html':
    case 'def':
      return block.raw.trimEnd()
    default:
      return wrapped(inline(block, drawing), drawing)
  }
}

const ruleWidth = ({width}: Drawing): number => (width === 0 ? 40 : Math.min(width, 80))

const inline = (block: Token, drawing: Drawing): string =>
  'tokens' in block && block.tokens !== undefined ? renderInline(block.tokens, drawing) : block.raw.trimEnd()

const wrapped = (text: string, {wrap, width}: Drawing): string => (width === 0 ? text : wrap(text, width))

const narrower = (drawing: Drawing, columns: number): Drawing => ({
  ...drawing,
  width: drawing.width === 0 ? 0 : Math.max(10, drawing.width - columns),
})

const blocksOf = (block: Token, drawing: Drawing): string =>
  ('tokens' in block ? (block.tokens ?? []) : [])
    .filter(({type}) => type !== 'space')
    .map((inner) => renderBlock(inner, drawing))
    .join('\n\n')

const prefixed = (text: string, prefix: string): string =>
  text
    .split('\n')
    .map((line) => `${prefix}${line}`)
    .join('\n')

const renderCode = ({text, lang}: Tokens.Code, {paint, hljs, numbersLines}: Drawing): string => {
  const language = lang?.split(/[\s,]/)[0] ?? ''
  const code = hljs === undefined || language === '' ? text : highlight(text, language, {hljs, paint})
  return numbersLines ? numbered(code, paint) : prefixed(code, '    ')
}

const numbered = (code: string, paint: Drawing['paint']): string => {
  const lines = code.split('\n')
  const width = Math.max(4, String(lines.length).length)
  return lines.map((line, index) => `${paint('dim', String(index + 1).padStart(width))}  ${line}`).join('\n')
}

const renderList = (list: Tokens.List, drawing: Drawing): string => {
  const start = typeof list.start === 'number' ? list.start : 1
  const items = list.items.map((item, index) => {
    const bullet = list.ordered ? `${start + index}. ` : '• '
    const box = item.task ? (item.checked === true ? '[x] ' : '[ ] ') : ''
    const body = item.tokens
      .filter(({type}) => type !== 'space')
      .map((inner) => renderBlock(inner, narrower(drawing, bullet.length)))
      .join(item.loose ? '\n\n' : '\n')
    const [first = '', ...rest] = `${box}${body}`.split('\n')
    const margin = ' '.repeat(bullet.length)
    return [`${bullet}${first}`, ...rest.map((line) => (line === '' ? '' : `${margin}${line}`))].join('\n')
  })
  return items.join(list.loose ? '\n\n' : '\n')
}
