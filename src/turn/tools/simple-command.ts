/**
 * The words of a command line that is one plain command, or undefined when a shell would do anything more with it:
 * operators, substitutions, variables, globs, assignments, comments, several lines. Only quotes are understood.
 *
 * Remembered permissions compare these words (FR-28): `echo hi && touch M` is never taken for `echo hi`.
 */
export const parseSimpleCommand = (line: string): readonly string[] | undefined => {
  const words: string[] = []
  const token = /\s*(?:'([^']*)'|"([^"\\$`]*)"|([\w@%+=:,./-]+))/y
  let at = 0
  const end = line.trimEnd().length
  if (/[\n\r\0]/.test(line.slice(0, end))) return undefined
  while (at < end) {
    token.lastIndex = at
    const match = token.exec(line)
    if (match === null) return undefined
    const isApart = at === 0 || /\s/.test(match[0][0] ?? '')
    const text = match[1] ?? match[2] ?? match[3] ?? ''
    if (isApart) words.push(text)
    else words.push((words.pop() ?? '') + text)
    at = token.lastIndex
  }
  const [first] = words
  if (first === undefined || first === '' || isSpecial(first, line)) return undefined
  return words
}

/** An assignment in front of a command, and words that only a shell understands. */
const isSpecial = (first: string, line: string): boolean => /^\s*[A-Za-z_]\w*\+?=/.test(line) || shellWords.has(first)

const shellWords: ReadonlySet<string> = new Set(
  (
    'if then else elif fi for while until do done case esac in function select time coproc ' +
    'cd exit export unset set eval exec source alias unalias read trap ulimit umask wait . : return break continue shift'
  ).split(' '),
)
