import type {Explanation, IgnoredExplanation, Source} from '../config/explain.js'
import type {ConfigValue} from '../config/value.js'
import {createRedactor} from '../platform/redact.js'
import {forTerminal} from '../platform/sanitise.js'
import {type ConfigContext, resolveForRun} from './configuration.js'
import type {Invocation} from './invocation.js'

/** What `jp config show` was asked for. */
export type ShowRequest = {
  readonly path: string | undefined
  readonly how: 'values' | 'explain' | 'defaults'
}

/**
 * Prints configuration, redacted: values as JSON or TOML, explanations as a list.
 * @throws JpError as `resolveConfiguration`; `config_key_unknown` for a path that is no key.
 */
export const showConfiguration = async (
  invocation: Invocation,
  context: ConfigContext,
  request: ShowRequest,
): Promise<void> => {
  const {keyOf} = await import('../config/shown-key.js')
  const path = request.path === undefined ? [] : keyOf(request.path)
  if (request.how === 'explain') return showExplanation(invocation, context, path)
  if (request.how === 'defaults') return showDefaults(invocation, path)
  const {data} = await resolveForRun(invocation, context)
  const {valueAt} = await import('../config/value.js')
  await showValue(invocation, valueAt(data, path), request.path)
}

/** Every key, with what it takes and starts from: the reference page in the terminal. */
const showDefaults = async ({output}: Invocation, path: readonly string[]): Promise<void> => {
  const {schemaRows} = await import('../config/schema-rows.js')
  const isAsked = ({path: key}: {readonly path: string}): boolean => {
    const keys = key.split('.')
    return path.every((part, index) => keys[index] === part || keys[index] === '<name>')
  }
  const rows = schemaRows().filter(isAsked)
  if (output.isJson) {
    return output.json(rows.map((row) => ({key: row.path, type: row.type, default: row.byDefault, about: row.about})))
  }
  output.list(
    rows,
    [
      {title: 'Key', text: (row) => row.path},
      {title: 'Default', text: (row) => (row.byDefault === undefined ? '' : JSON.stringify(row.byDefault))},
      {title: 'Takes', text: (row) => row.type},
      {title: 'What it is', text: (row) => row.about},
    ],
    'There is no such key.',
  )
}

const showValue = async (
  {output, environment}: Invocation,
  value: ConfigValue | undefined,
  path: string | undefined,
): Promise<void> => {
  const {redactConfig} = await import('../config/redact-config.js')
  const redact = createRedactor(environment.env)
  if (value === undefined) {
    if (output.isJson) output.json(null)
    return output.note(`${path ?? 'It'} is not set.`)
  }
  const shown = redactConfig(value, path?.split('.').at(-1))
  if (output.isJson) return output.json(JSON.parse(redact(JSON.stringify(shown))))
  await output.write(forTerminal(redact(await asText(shown))))
}

const asText = async (value: ConfigValue): Promise<string> => {
  const {stringify} = await import('smol-toml')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return stringify(value)
  return typeof value === 'string' ? `${value}\n` : `${JSON.stringify(value)}\n`
}

const showExplanation = async (
  invocation: Invocation,
  context: ConfigContext,
  path: readonly string[],
): Promise<void> => {
  const {output, environment} = invocation
  const [{explain, explainIgnored}, {redactConfig}, {showPath}] = await Promise.all([
    import('../config/explain.js'),
    import('../config/redact-config.js'),
    import('../config/value.js'),
  ])
  const resolution = await resolveForRun(invocation, context, {isQuiet: true})
  const prefix = showPath(path)
  const isAsked = (row: {readonly path: string}): boolean =>
    path.length === 0 || row.path === prefix || row.path.startsWith(`${prefix}.`)
  const redact = createRedactor(environment.env)
  const safe = <Row extends {readonly path: string; readonly value: ConfigValue}>(row: Row): Row => ({
    ...row,
    value: JSON.parse(redact(JSON.stringify(redactConfig(row.value, row.path.split('.').at(-1))))),
  })
  const values = (await explain(resolution.data, resolution.provenance)).filter(isAsked).map(safe)
  const ignored = (await explainIgnored(resolution.ignored)).filter(isAsked).map(safe)
  const notices = resolution.notices.map(({kind, text}) => ({kind, text}))
  if (output.isJson) return output.json({values, ignored, notices})
  listValues(invocation, values)
  if (ignored.length > 0) listIgnored(invocation, ignored)
  for (const {kind, text} of resolution.notices) if (kind !== 'untrusted') output.warn(text)
}

const brief = (value: ConfigValue): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

const sourceText = ({layer, where}: Source): string => (where === undefined ? layer : `${layer} ${where}`)

const listValues = ({output}: Invocation, values: readonly Explanation[]): void =>
  output.list(
    values,
    [
      {title: 'Key', text: (row) => row.path},
      {title: 'Value', text: (row) => brief(row.value)},
      {title: 'From', text: (row) => row.sources.map(sourceText).join(', ')},
    ],
    'Nothing is set.',
  )

const reasons: Readonly<Record<IgnoredExplanation['reason'], string>> = {
  untrusted: 'not trusted: see "jp w trust"',
  never_from_checkout: 'a checkout can deny, never allow',
}

const listIgnored = ({output}: Invocation, ignored: readonly IgnoredExplanation[]): void =>
  output.list(
    ignored,
    [
      {title: 'Left out', text: (row) => row.path},
      {title: 'Value', text: (row) => brief(row.value)},
      {title: 'From', text: (row) => sourceText(row.source)},
      {title: 'Why', text: (row) => reasons[row.reason]},
    ],
    '',
  )
