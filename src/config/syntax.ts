import {JpError} from '../errors/jp-error.js'
import {readText} from '../platform/files.js'
import {locate} from './position.js'
import {type ConfigObject, type ConfigValue, forbiddenKey, isForbiddenKey, type KeyPath} from './value.js'

/** The spellings of a configuration file, in the order in which they are looked for. */
export const formats = ['toml', 'json', 'json5', 'yaml', 'yml'] as const
export type Format = (typeof formats)[number]

/** A configuration file whose syntax was read; nothing of it is checked against the schema. */
export type ConfigFile = {
  readonly path: string
  readonly format: Format
  /** Its text without a byte order mark. */
  readonly text: string
  readonly value: ConfigObject
}

/** Larger than any configuration that a person writes. Unit: bytes. */
const maxConfigBytes = 8 * 1024 * 1024
/** Deeper than any configuration that a person writes. */
const maxDepth = 64

/** The format that a file's name asks for; TOML when its ending is none of ours. */
export const formatOf = (path: string): Format => {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return formats.find((format) => format === ending) ?? 'toml'
}

/**
 * Reads a configuration file: bytes, then syntax. A byte order mark and CRLF are fine (FR-10).
 * @throws JpError `file_not_found`, `file_unreadable`, `config_malformed` (with line and column), `config_key_unknown`
 * for a key that would reach a prototype.
 */
export const readConfigFile = async (path: string): Promise<ConfigFile> =>
  parseConfigText(path, formatOf(path), readConfigText(path))

/** The text of a configuration file without its byte order mark. */
export const readConfigText = (path: string): string => {
  try {
    return readText(path, {maxBytes: maxConfigBytes}).replace(/^\ufeff/, '')
  } catch (error) {
    if (error instanceof JpError && (error.code === 'file_corrupt' || error.code === 'file_refused')) {
      throw new JpError('config_malformed', error.message, {cause: error, details: {file: path}})
    }
    throw error
  }
}

/** As {@link readConfigFile}, of a text at hand. */
export const parseConfigText = async (path: string, format: Format, text: string): Promise<ConfigFile> => {
  const raw = await parsers[format](text, path)
  const file = {path, format, text, value: {}}
  const problems: Problem[] = []
  const value = plainValue(raw, [], problems)
  for (const problem of problems) throw await problemAt(file, problem)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return {...file, value}
  throw malformed(path, {line: 1, column: 1}, 'expected a table of keys at the top')
}

type Position = {readonly line: number; readonly column: number}

const malformed = (path: string, at: Position, problem: string, cause?: unknown): JpError =>
  new JpError('config_malformed', `${path}:${at.line}:${at.column}: ${problem}.`, {
    cause,
    hint: 'Mend the file; until then no configuration is used, so that nothing it forbids is allowed.',
    details: {file: path, line: at.line, column: at.column},
  })

const parsers: Readonly<Record<Format, (text: string, path: string) => Promise<unknown>>> = {
  async toml(text, path) {
    const {parse, TomlError} = await import('smol-toml')
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof TomlError)) throw error
      const problem = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')
      throw malformed(path, error, problem, error)
    }
  },
  async json(text, path) {
    if (text.trim() === '') return {}
    try {
      return JSON.parse(text)
    } catch (error) {
      throw malformed(path, jsonErrorPosition(error, text), jsonProblem(error), error)
    }
  },
  async json5(text, path) {
    if (text.trim() === '') return {}
    const {default: json5} = await import('json5')
    try {
      return json5.parse(text)
    } catch (error) {
      const at = error as {readonly lineNumber?: number; readonly columnNumber?: number}
      const problem = jsonProblem(error)
        .replace(/^JSON5: /, '')
        .replace(/ at \d+:\d+$/, '')
      throw malformed(path, {line: at.lineNumber ?? 1, column: at.columnNumber ?? 1}, problem, error)
    }
  },
  yaml: (text, path) => parseYaml(text, path),
  yml: (text, path) => parseYaml(text, path),
}

const parseYaml = async (text: string, path: string): Promise<unknown> => {
  const {parseDocument} = await import('./yaml.js')
  const document = parseDocument(text, {prettyErrors: true, logLevel: 'silent'})
  const error = document.errors[0]
  if (error !== undefined) {
    const at = error.linePos?.[0]
    const problem = (error.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
    throw malformed(path, {line: at?.line ?? 1, column: at?.col ?? 1}, problem, error)
  }
  try {
    return document.toJS({maxAliasCount: 100}) ?? {}
  } catch (cause) {
    throw malformed(path, {line: 1, column: 1}, cause instanceof Error ? cause.message : 'it can not be read', cause)
  }
}

const jsonProblem = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/ in JSON at position[\s\S]*$/, '')
    .replace(/\.+$/, '')

/** V8 names a position in most messages, and none when the text ended too early. */
const jsonErrorPosition = (error: unknown, text: string): Position => {
  const match = /at position (\d+)/.exec(error instanceof Error ? error.message : '')
  const before = text.slice(0, match === null ? text.trimEnd().length : Number(match[1]))
  const lineStart = before.lastIndexOf('\n') + 1
  return {line: before.split('\n').length, column: before.length - lineStart + 1}
}

/** What is wrong with a value that a parser made. */
type Problem = {readonly path: KeyPath; readonly text: string; readonly isForbidden?: true}

/** What a parser made, as plain data: dates become text; what is no data, too deep or dangerous is a problem. */
const plainValue = (raw: unknown, path: KeyPath, problems: Problem[]): ConfigValue => {
  const problem = (text: string): null => {
    problems.push({path, text})
    return null
  }
  if (path.length > maxDepth) return problem(`it is nested deeper than ${maxDepth} levels`)
  if (raw === null || raw === undefined) return null
  if (typeof raw === 'string' || typeof raw === 'boolean') return raw
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : problem(`${raw} is no number that can be kept`)
  if (raw instanceof Date) return raw.toISOString()
  if (Array.isArray(raw)) return raw.map((item, index) => plainValue(item, [...path, String(index)], problems))
  if (typeof raw !== 'object' || raw instanceof Map || raw instanceof Set || ArrayBuffer.isView(raw)) {
    return problem('expected text, a number, true, false, a list or a table')
  }
  const table: ConfigObject = {}
  for (const [key, value] of Object.entries(raw)) {
    const at = [...path, key]
    if (isForbiddenKey(key)) problems.push({path: at, text: key, isForbidden: true})
    else table[key] = plainValue(value, at, problems)
  }
  return table
}

const problemAt = async (file: ConfigFile, {path, text, isForbidden}: Problem): Promise<JpError> => {
  if (isForbidden === true) return forbiddenKey('config_invalid', text, await whereIs(file, path))
  return malformed(file.path, (await locate(file, path)) ?? {line: 1, column: 1}, text)
}

/** Where a key stands: `file:line`, or the file alone. */
export const whereIs = async (file: ConfigFile, path: KeyPath): Promise<string> => {
  const at = await locate(file, path)
  return at === undefined ? file.path : `${file.path}:${at.line}`
}
