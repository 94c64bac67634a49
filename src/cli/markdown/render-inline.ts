import type {Token} from 'marked'
import type {Background, Paint} from '../paint.js'

/** What words are drawn with. */
export type InlineDrawing = {readonly paint: Paint; readonly behindCode: Background}

/** The words of a block with their styles. */
export const renderInline = (tokens: readonly Token[], drawing: InlineDrawing): string =>
  tokens.map((token) => renderToken(token, drawing)).join('')

const renderToken = (token: Token, drawing: InlineDrawing): string => {
  const {paint, behindCode} = drawing
  const inner = (): string =>
    'tokens' in token && token.tokens !== undefined ? renderInline(token.tokens, drawing) : textOf(token)
  switch (token.type) {
    case 'strong':
      return paint('bold', inner())
    case 'em':
      return paint('italic', inner())
    case 'codespan':
      return behindCode(paint('cyan', textOf(token)))
    case 'del':
      return paint('dim', inner())
    case 'br':
      return '\n'
    case 'link': {
      const words = inner()
      const href = 'href' in token && typeof token.href === 'string' ? token.href : ''
      return words === href || href === `mailto:${words}`
        ? paint('underline', words)
        : `${words} (${paint('underline', href)})`
    }
    case 'image':
      return `[${textOf(token)}]`
    case 'checkbox':
      return ''
    default:
      return inner()
  }
}

const textOf = (token: Token): string => ('text' in token && typeof token.text === 'string' ? token.text : token.raw)
