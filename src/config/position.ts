import {locateToml} from './position-toml.js'
import type {ConfigFile} from './syntax.js'
import type {KeyPath} from './value.js'

/** Where a key stands in its file, both from 1. */
export type Position = {readonly line: number; readonly column: number}

/**
 * Where the key at `path`, or the nearest one above it that has a place of its own, stands in a file. Undefined for the
 * top of the file. For messages and `--explain`: done only when asked.
 */
export const locate = async (file: ConfigFile, path: KeyPath): Promise<Position | undefined> => {
  if (file.format === 'toml') return locateToml(file.text, path)
  const text = file.format === 'json5' ? blankComments(file.text) : file.text
  return locateYaml(text, path)
}

/** YAML reads JSON, and JSON5 but for its comments, well enough to say where a key stands. */
const locateYaml = async (text: string, path: KeyPath): Promise<Position | undefined> => {
  const {isMap, isSeq, isScalar, LineCounter, parseDocument} = await import('./yaml.js')
  const lines = new LineCounter()
  const document = parseDocument(text, {lineCounter: lines, logLevel: 'silent', strict: false, uniqueKeys: false})
  let node: unknown = document.contents
  let found: number | undefined
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
      if (pair === undefined) break
      found = isScalar(pair.key) ? pair.key.range?.[0] : found
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(key)]
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
        found = Number(node.range[0])
      }
    } else break
  }
  if (found === undefined) return undefined
  const {line, col} = lines.linePos(found)
  return {line, column: col}
}

/** Replaces comments by spaces, so that every position stays. */
const blankComments = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (part) =>
    part.startsWith('/') ? part.replace(/[^\n]/g, ' ') : part,
  )
