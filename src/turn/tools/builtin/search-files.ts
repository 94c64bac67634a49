import {JpError} from '../../../errors/jp-error.js'
import {builtin} from '../../../platform/builtin.js'
import {resolveInside} from '../../../platform/contained-path.js'
import {readTextFile} from '../tool-hands.js'
import {shownIn, type UsablePath} from './file-access.js'

/** What to look for. */
export type SearchQuery = {readonly pattern: string; readonly regex: boolean; readonly ignoreCase: boolean}

const maxHits = 500
const maxLineUnits = 400
/** A model can write an expression that takes for ever. Unit: milliseconds. */
const maxMatchMs = 2000

/**
 * The lines that match, as `path:line:text`. Files that are no text are passed over.
 * @throws JpError `usage` for an expression that is none, or that takes too long.
 */
export const searchFiles = (folder: UsablePath, files: Iterable<string>, query: SearchQuery): string[] => {
  const matches = createMatcher(query)
  const hits: string[] = []
  for (const file of files) {
    let lines: string[]
    try {
      lines = readTextFile(resolveInside(folder.base, file)).split('\n')
    } catch {
      continue
    }
    for (const index of matches(lines)) {
      if (hits.length === maxHits) return [...hits, `[… more than ${maxHits} lines; the rest is left out …]`]
      hits.push(`${shownIn(folder, file)}:${index + 1}:${(lines[index] ?? '').slice(0, maxLineUnits).toWellFormed()}`)
    }
  }
  return hits
}

/** Gives the indexes of the lines that match. */
const createMatcher = ({pattern, regex, ignoreCase}: SearchQuery): ((lines: string[]) => number[]) => {
  if (!regex) {
    const wanted = ignoreCase ? pattern.toLowerCase() : pattern
    return (lines) => indexesOf(lines, (line) => (ignoreCase ? line.toLowerCase() : line).includes(wanted))
  }
  let expression: RegExp
  try {
    expression = new RegExp(pattern, ignoreCase ? 'iu' : 'u')
  } catch (error) {
    throw new JpError('usage', `The pattern is no regular expression: ${(error as Error).message}`, {cause: error})
  }
  // Nothing else can interrupt a regular expression.
  const {createContext, Script} = builtin('node:vm')
  const script = new Script('lines.flatMap((line, index) => (expression.test(line) ? [index] : []))')
  return (lines) => {
    try {
      return script.runInContext(createContext({lines, expression}), {timeout: maxMatchMs}) as number[]
    } catch (error) {
      throw new JpError('usage', 'The pattern takes too long; use a simpler one.', {cause: error})
    }
  }
}

const indexesOf = (lines: readonly string[], test: (line: string) => boolean): number[] =>
  lines.flatMap((line, index) => (test(line) ? [index] : []))
