import {tomlStatements} from './position-toml.js'
import {type ConfigFile, type Format, parseConfigText} from './syntax.js'
import {sameValue} from './value.js'

/**
 * The text of a configuration file in its plain form: comments, order and values stay, white space is set right. What the
 * plain form would not hold as it is stays as it is.
 */
export const formatConfigText = async (file: ConfigFile): Promise<string> => {
  const isCrlf = file.text.includes('\r\n')
  const plain = await formatters[file.format](file.text.replaceAll('\r\n', '\n'))
  const text = isCrlf ? plain.replaceAll('\n', '\r\n') : plain
  try {
    const {value} = await parseConfigText(file.path, file.format, text)
    return sameValue(value, file.value) ? text : file.text
  } catch {
    return file.text
  }
}

const formatters: Readonly<Record<Format, (text: string) => string | Promise<string>>> = {
  toml: (text) => formatToml(text),
  json: (text) => `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`,
  json5: (text) => trimmedLines(text),
  yaml: (text) => formatYaml(text),
  yml: (text) => formatYaml(text),
}

const formatYaml = async (text: string): Promise<string> => {
  const {parseDocument} = await import('./yaml.js')
  return parseDocument(text).toString({lineWidth: 0})
}

/** No white space at the ends of lines, and one line end at the end. */
const trimmedLines = (text: string): string =>
  `${text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()}\n`

/** Statements without indentation, ` = ` between key and value, and an empty line in front of each table. */
const formatToml = (text: string): string => {
  const out: string[] = []
  /** Comments that stand right above the next statement. */
  let above: string[] = []
  const put = (): void => {
    out.push(...above)
    above = []
  }
  for (const statement of tomlStatements(text)) {
    const line = plainStatement(statement)
    if (line === '') {
      put()
      if (out.length > 0 && out.at(-1) !== '') out.push('')
    } else if (line.startsWith('#')) above.push(line)
    else {
      if (line.startsWith('[') && out.length > 0 && out.at(-1) !== '') out.push('')
      put()
      out.push(line)
    }
  }
  put()
  return `${out.join('\n').trimEnd()}\n`
}

const key =
  /^((?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)(?:[ \t]*\.[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+))*)[ \t]*=[ \t]*/

/** One statement; what stands on more lines than one keeps them. */
const plainStatement = (statement: string): string => statement.trim().replace(key, '$1 = ')
