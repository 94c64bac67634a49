import {JpError} from '../errors/jp-error.js'
import {tomlComments} from './position-toml.js'
import {type Format, parseConfigText} from './syntax.js'
import {
  type ConfigObject,
  type ConfigValue,
  isTable,
  type KeyPath,
  sameValue,
  showPath,
  valueAt,
  without,
} from './value.js'

/** One change of a file: a value for a key, or undefined to take the key out. */
export type Change = {readonly path: KeyPath; readonly value: ConfigValue | undefined}

/** A text to change. */
export type Editable = {readonly path: string; readonly format: Format; readonly text: string}

/**
 * The text of a configuration file with some keys changed and everything else (comments, order, line ends) as it was.
 * The result is parsed again and must hold exactly the old values with these changes.
 * @throws JpError `config_value_invalid` when the file can't be edited without loss; nothing is written here.
 */
export const editText = async (file: Editable, changes: readonly Change[]): Promise<string> => {
  const {value: before} = await parseConfigText(file.path, file.format, file.text)
  const wanted = changes.reduce<ConfigObject>((value, change) => changed(value, change), before)
  if (sameValue(before, wanted)) return file.text
  const isNew = file.format === 'toml' && file.text.trim() === ''
  const edited = isNew ? await appendToml(file.text, changes) : await attempt(file, changes)
  const mayLose = changes.some((change) => replacesMuch(before, change))
  const isWhole = edited !== undefined && (mayLose || keepsComments(file, edited))
  if (isWhole && (await holds(file, edited, wanted))) return edited
  const appended = file.format === 'toml' ? await appendToml(file.text, changes) : undefined
  if (appended !== undefined && (await holds(file, appended, wanted))) return appended
  throw cannotEdit(file, changes)
}

/** What goes may take the comments about it along; what is added, or one value in place of another, takes none. */
const replacesMuch = (before: ConfigObject, {path, value}: Change): boolean => {
  const old = valueAt(before, path)
  return value === undefined || (typeof old === 'object' && old !== null)
}

const keepsComments = ({format, text}: Editable, edited: string): boolean => {
  if (format !== 'toml') return true
  const kept = new Set(tomlComments(edited))
  return tomlComments(text).every((comment) => kept.has(comment))
}

const changed = (value: ConfigObject, {path, value: now}: Change): ConfigObject => {
  if (now === undefined) return removed(value, path)
  const [key = '', ...rest] = path
  const inner = value[key]
  return {...value, [key]: rest.length === 0 ? now : changed(isTable(inner) ? inner : {}, {path: rest, value: now})}
}

const removed = (value: ConfigObject, path: KeyPath): ConfigObject =>
  valueAt(value, path) === undefined ? value : without(value, path)

const holds = async (file: Editable, text: string, wanted: ConfigObject): Promise<boolean> => {
  try {
    const {value} = await parseConfigText(file.path, file.format, text)
    return sameValue(withoutEmptyTables(value), withoutEmptyTables(wanted))
  } catch {
    return false
  }
}

/** A header that stays when its last key goes says nothing. */
const withoutEmptyTables = (value: ConfigObject): ConfigObject =>
  Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, ConfigValue] => [key, isTable(inner) ? withoutEmptyTables(inner) : inner])
      .filter(([, inner]) => !isTable(inner) || Object.keys(inner).length > 0),
  )

const attempt = async (file: Editable, changes: readonly Change[]): Promise<string | undefined> => {
  try {
    return await editors[file.format](file.text, changes)
  } catch (error) {
    if (error instanceof JpError) throw error
    // The editor gave up on this text; what it would have made is checked in any case.
    return undefined
  }
}

type Editor = (text: string, changes: readonly Change[]) => Promise<string | undefined>

const editYaml: Editor = async (text, changes) => {
  const {parseDocument} = await import('./yaml.js')
  const document = parseDocument(text)
  for (const {path, value} of changes) {
    if (value === undefined) document.deleteIn([...path])
    else document.setIn([...path], value)
  }
  return document.toString({lineWidth: 0})
}

const editors: Readonly<Record<Format, Editor>> = {
  async toml(text, changes) {
    const {parse, patch} = await import('@decimalturn/toml-patch')
    const value: ConfigObject = parse(text)
    const edited = patch(text, changes.reduce(changed, value))
    return edited === '' || edited.endsWith('\n') || (text !== '' && !text.endsWith('\n')) ? edited : `${edited}\n`
  },
  async json(text, changes) {
    const value: ConfigObject = text.trim() === '' ? {} : JSON.parse(text)
    return withLineEnds(text, JSON.stringify(changes.reduce(changed, value), undefined, indentOf(text)))
  },
  async json5(text, changes) {
    // JSON5 has no editor that keeps comments; without comments nothing is lost.
    if (/\/\/|\/\*/.test(text.replace(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/g, ''))) return undefined
    const {default: json5} = await import('json5')
    const value: ConfigObject = text.trim() === '' ? {} : json5.parse(text)
    return withLineEnds(text, json5.stringify(changes.reduce(changed, value), undefined, indentOf(text)))
  },
  yaml: editYaml,
  yml: editYaml,
}

const indentOf = (text: string): string => /^[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? '  '

const withLineEnds = (text: string, edited: string): string =>
  `${text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited}${text.includes('\r\n') ? '\r\n' : '\n'}`

/** New keys can always be put behind the end of a TOML file, when the table has no header yet. */
const appendToml = async (text: string, changes: readonly Change[]): Promise<string | undefined> => {
  if (changes.some(({value}) => value === undefined)) return undefined
  const {stringify} = await import('smol-toml')
  const added = changes.reduce<ConfigObject>((value, change) => changed(value, change), {})
  return [text.trimEnd(), stringify(added).trimEnd()]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

const cannotEdit = (file: Editable, changes: readonly Change[]): JpError =>
  new JpError('config_value_invalid', `${file.path} can't be edited without losing something of it.`, {
    hint: [
      'Change it by hand:',
      ...changes.map(({path, value}) =>
        value === undefined ? `  remove ${showPath(path)}` : `  ${showPath(path)} = ${JSON.stringify(value)}`,
      ),
    ].join('\n'),
  })
