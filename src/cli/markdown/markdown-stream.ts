import {lexer, type Token} from 'marked'
import {shownLength} from './growing-paragraph.js'

/** Markdown that arrives in pieces, rendered block by block. */
export interface MarkdownStream {
  /** Gives what is settled by now: all blocks but the last, which may still grow. */
  push(piece: string): string
  /** Gives the rest. */
  end(): string
}

/**
 * Creates the stream of one answer. However the text is split, the rendering is the same. A block is shown once something
 * else has begun behind it; of a paragraph the plain words at its beginning are shown as they come.
 * @param render one block, without a newline at its end; the rendering of a paragraph begins with that of its beginning.
 */
export const createMarkdownStream = (render: (block: Token) => string): MarkdownStream => {
  let pending = ''
  let isFirst = true
  let begun = ''

  const begin = (): string => {
    const separator = isFirst || begun !== '' ? '' : '\n'
    isFirst = false
    return separator
  }
  const showBlock = (block: Token): string => {
    const separator = begin()
    const text = render(block)
    const rest = text.startsWith(begun) ? text.slice(begun.length) : `\n${text}`
    begun = ''
    return `${separator}${rest}\n`
  }
  const show = (blocks: readonly Token[]): string =>
    blocks
      .filter(({type}) => type !== 'space')
      .map(showBlock)
      .join('')

  /** The words of a growing paragraph that can be shown by now. */
  const showWords = (block: Token | undefined): string => {
    const [beginning] = block?.type === 'paragraph' ? lexer(block.raw.slice(0, shownLength(block.raw))) : []
    const text = beginning?.type === 'paragraph' ? render(beginning) : ''
    if (text.length <= begun.length || !text.startsWith(begun)) return ''
    const words = begin() + text.slice(begun.length)
    begun = text
    return words
  }

  return {
    push(piece) {
      pending += piece
      // Between white space nothing settles.
      if (!/\s/.test(piece)) return ''
      const settled = settledBlocks(lexer(pending.slice(0, pending.lastIndexOf('\n') + 1)))
      pending = pending.slice(settled.reduce((length, {raw}) => length + raw.length, 0))
      return show(settled) + showWords(lexer(pending)[0])
    },
    end() {
      const rest = show(lexer(pending))
      pending = ''
      return rest
    },
  }
}

/**
 * The blocks of whole lines that nothing behind them can change: all but the last, and that one too when it ends at an empty
 * line. A list goes on behind one, and a line that is not whole may still turn out to be its next item.
 */
const settledBlocks = (blocks: readonly Token[]): readonly Token[] => {
  const last = blocks.findLastIndex(({type}) => type !== 'space')
  const block = blocks[last]
  if (block === undefined) return []
  const isClosed = ['paragraph', 'heading', 'hr'].includes(block.type) && last < blocks.length - 1
  return blocks.slice(0, isClosed ? blocks.length : last)
}
