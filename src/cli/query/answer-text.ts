import {createStreamSanitiser} from '../../platform/sanitise.js'

/** The assistant's words on their way to stdout, piece by piece. */
export interface AnswerText {
  push(piece: string): string
  /** A part of the answer is whole: what follows stands apart from it. */
  endPart(): string
  /** The answer is whole. */
  end(): string
}

/**
 * Creates the text of one answer (W29): the words as they came, sanitised (W31), parts apart by an empty line, and
 * exactly one newline at the end, whatever the model ends with. An answer without words stays empty.
 */
export const createAnswerText = (): AnswerText => {
  const sanitiser = createStreamSanitiser()
  let heldNewlines = ''
  let hasWords = false
  let separatorIsDue = false

  const pass = (text: string): string => {
    const all = heldNewlines + text
    const words = all.replace(/\n+$/, '')
    heldNewlines = all.slice(words.length)
    if (words === '') return ''
    const separator = separatorIsDue ? '\n\n' : ''
    separatorIsDue = false
    hasWords = true
    return separator + words
  }

  return {
    push: (piece) => pass(sanitiser.push(piece)),
    endPart() {
      const rest = pass(sanitiser.end())
      heldNewlines = ''
      separatorIsDue = hasWords
      return rest
    },
    end() {
      const rest = pass(sanitiser.end())
      return hasWords ? `${rest}\n` : rest
    },
  }
}
