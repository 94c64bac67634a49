/**
 * Where a paragraph that is still being written may already be shown (Q7): the end of its last whole word, as long as
 * nothing in front of it could still turn out to be something else. A paragraph can become a list, a table or a heading with
 * its next line, and a word a link or bold with its next characters; what is shown can't be taken back.
 */
export const shownLength = (raw: string): number => {
  if (!/^[\p{L}("'“‘]/u.test(raw)) return 0
  const stop = unsettled.exec(raw)
  const safe = stop === null ? raw : raw.slice(0, stop.index)
  const word = /\s\S*$/u.exec(safe)
  return word === null ? 0 : safe.slice(0, word.index).trimEnd().length
}

/** Markup, an address, a hard line break, or a line that does not begin like prose. */
const unsettled = /[*_`[\]~<>!\\&|@]|:\/\/|www\.| {2,}\n|\t|\n(?![\p{L}("'“‘])/iu
