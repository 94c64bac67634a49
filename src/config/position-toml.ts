import type {KeyPath} from './value.js'

type Position = {readonly line: number; readonly column: number}

/**
 * Where the key at `path`, or the nearest key above it, stands in a TOML text that has been parsed before. smol-toml
 * tells no positions; this reads headers and keys and steps over values.
 */
export const locateToml = (text: string, path: KeyPath): Position | undefined => {
  let best: {position: Position; depth: number} | undefined
  for (const {path: found, position} of tomlKeys(text)) {
    const depth = commonLength(found, path)
    const isAbove = depth === found.length || depth === path.length
    if (isAbove && depth > (best?.depth ?? 0)) best = {position, depth}
  }
  return best?.position
}

const commonLength = (left: KeyPath, right: KeyPath): number => {
  let length = 0
  while (length < left.length && length < right.length && left[length] === right[length]) length += 1
  return length
}

const token = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*(\.)?/y

/** Every header and every key of a TOML text with its whole path; a table of a list has its index in it. */
function* tomlKeys(text: string): Generator<{path: string[]; position: Position}> {
  const counts = new Map<string, number>()
  let table: string[] = []
  let line = 1
  for (let at = 0; at < text.length; ) {
    const end = endOfStatement(text, at)
    const start = at + (/^[ \t]*/.exec(text.slice(at, at + 200))?.[0].length ?? 0)
    const position = {line, column: start - at + 1}
    const header = /^\[(\[)?/.exec(text.slice(start, start + 2))
    const key = readKey(text, start + (header?.[0].length ?? 0))
    if (key.length > 0 && header !== null) {
      table = header[1] === undefined ? withIndexes(key, counts) : nextItem(key, counts)
      yield {path: table, position}
    } else if (key.length > 0) yield {path: [...table, ...key], position}
    for (let index = at; index < end; index++) if (text[index] === '\n') line += 1
    at = end
  }
}

const readKey = (text: string, at: number): string[] => {
  const key: string[] = []
  token.lastIndex = at
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    key.push(match[1] ?? match[2] ?? match[3] ?? '')
    if (match[4] === undefined) break
  }
  return key
}

const nextItem = (key: readonly string[], counts: Map<string, number>): string[] => {
  const path = withIndexes(key, counts)
  const name = JSON.stringify(key)
  const index = (counts.get(name) ?? -1) + 1
  counts.set(name, index)
  return [...path.slice(0, key.length === path.length ? undefined : -1), String(index)]
}

/** A header below a table of a list means its last item. */
const withIndexes = (key: readonly string[], counts: ReadonlyMap<string, number>): string[] =>
  key.flatMap((part, index) => {
    const count = counts.get(JSON.stringify(key.slice(0, index + 1)))
    return count === undefined ? [part] : [part, String(count)]
  })

const skip =
  /"""(?:[^\\]|\\[\s\S])*?"""+|'''[\s\S]*?'''+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}\n]|[^"'#[\]{}\n]+|["']/y

/** The start of the line behind the statement at `at`: its value may go on over several lines. */
const endOfStatement = (text: string, at: number): number => {
  let depth = 0
  skip.lastIndex = at
  for (let match = skip.exec(text); match !== null; match = skip.exec(text)) {
    const [piece] = match
    if (piece === '\n' && depth <= 0) return skip.lastIndex
    if (piece === '[' || piece === '{') depth += 1
    if (piece === ']' || piece === '}') depth -= 1
  }
  return text.length
}

/** The statements of a TOML text that has been parsed before, line ends included: a blank line and a comment is one too. */
export const tomlStatements = (text: string): string[] => {
  const statements: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = endOfStatement(text, at)
    statements.push(text.slice(at, end))
    at = end
  }
  return statements
}

/** The comments of a TOML text, in order. */
export const tomlComments = (text: string): string[] => {
  const comments: string[] = []
  skip.lastIndex = 0
  for (let match = skip.exec(text); match !== null; match = skip.exec(text)) {
    if (match[0].startsWith('#')) comments.push(match[0].trimEnd())
  }
  return comments
}
