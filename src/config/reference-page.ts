import {guards} from './guard-table.js'
import {type SchemaRow, schemaRows} from './schema-rows.js'

/** The page `docs/reference/configuration.md`, from the schema (W14). */
export const renderConfigurationPage = (): string => {
  const rows = schemaRows()
  const sections = [...new Set(rows.map(({path}) => sectionOf(path)))]
  return [
    '# Configuration',
    'Files are TOML, JSON, JSON5 or YAML. `jp help configuration` says where they lie and how layers merge; `jp config show --explain` where each value comes from; `jp config schema` prints a JSON Schema for editors.',
    'A key is also set for one run by `--cfg KEY=VALUE`, and by the variable `JP_CFG_<KEY>` with `_` for `.`, in capitals.',
    ...sections.map((section) =>
      renderSection(
        section,
        rows.filter(({path}) => sectionOf(path) === section),
      ),
    ),
    '## What needs trust',
    'These take effect from a checkout only once you trust it with `jp w trust`. Values that tighten (`deny`, `ask`, a first checksum) always do.',
    table(
      ['Key', 'What it does'],
      guards.map(({pattern, about, never}) => [
        code(guardPath(pattern)),
        `${about}${never === true ? '; never counts from a checkout' : ''}`,
      ]),
    ),
  ].join('\n\n')
}

const sectionOf = (path: string): string => {
  const [top = '', second = ''] = path.split('.')
  return ['conversation', 'providers'].includes(top) && ['tools', 'llm', 'mcp'].includes(second)
    ? `${top}.${second}`
    : path.includes('.')
      ? top
      : ''
}

const renderSection = (section: string, rows: readonly SchemaRow[]): string => {
  const heading = section === '' ? '## The top' : `## ${code(section)}`
  return `${heading}\n\n${table(['Key', 'Takes', 'Default', 'What it is'], rows.map(cellsOf))}`
}

const cellsOf = ({path, type, byDefault, about}: SchemaRow): string[] => [
  code(path),
  type,
  byDefault === undefined ? '' : code(JSON.stringify(byDefault)),
  about,
]

const guardPath = (pattern: readonly string[]): string =>
  pattern.map((key) => (key === '*' ? '<name>' : key === '#' ? '<item>' : key)).join('.')

const code = (text: string): string => `\`${text}\``

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n')
}
