import type {Token} from 'marked'
import type {Paint} from '../paint.js'

/** The words of a block with their styles. */
export const renderInline = (tokens: readonly Token[], paint: Paint): string =>
  tokens.map((token) => renderToken(token, paint)).join('')

const renderToken = (token: Token, paint: Paint): string => {
  const inner = (): string =>
    'tokens' in token && token.tokens !== undefined ? renderInline(token.tokens, paint) : textOf(token)
  switch (token.type) {
    case 'strong':
      return paint('bold', inner())
    case 'em':
      return paint('italic', inner())
    case 'codespan':
      return paint('cyan', textOf(token))
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
