import * as z from 'zod'
import {toPluginSchemas} from './host-to-plugin.js'
import {toHostSchemas} from './plugin-to-host.js'

const introduction = `# The plugin protocol

A plugin is a program that speaks JSON lines: UTF-8, one object a line, each with a \`type\`. The host writes to the plugin's
stdin and reads its stdout; stderr goes to the trace of jp. Unknown keys are ignored by both sides.

- The host sends \`init\` at once. The plugin answers \`ready\`, asks what it wants, and ends with \`exit\`.
- A request may carry an \`id\`, which its answer repeats. Without one, answers come in the order of the requests.
- Requests are answered one after the other. \`query\` and \`interrupt\` alone are answered when their turn is.
- A request that can't be done is answered by \`error\`. A line that is no message ends the plugin.
- A plugin that asks for a higher \`protocol\` than the host's is refused.

A file says what it is on one line of its own text, exactly once:

\`\`\`
# jp-plugin/v1 {"protocol": 1, "description": "Count notes", "command": ["notes", "count"]}
\`\`\`
`

type Shape = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
}

/** The reference page of the plugin protocol, from the schemas (P17). */
export const renderProtocolPage = (): string =>
  [
    introduction,
    '## From the plugin\n',
    ...Object.entries(toHostSchemas).map(([type, schema]) => messageSection(type, schema)),
    '## From the host\n',
    ...Object.entries(toPluginSchemas).map(([type, schema]) => messageSection(type, schema)),
  ].join('\n')

const messageSection = (type: string, schema: z.ZodType): string => {
  const shape = z.toJSONSchema(schema, {io: 'input', unrepresentable: 'any'}) as Shape
  const rows = fieldRows(shape, '').filter((row) => !row.startsWith('| `type` |'))
  const table = rows.length === 0 ? '' : `\n| field | type | |\n| --- | --- | --- |\n${rows.join('\n')}\n`
  return `### \`${type}\`\n\n${shape.description ?? ''}\n${table}`
}

const fieldRows = (shape: Shape, prefix: string): string[] =>
  Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const optional = shape.required?.includes(name) === true ? '' : '?'
    const about = [
      field.description ?? '',
      field.default === undefined ? '' : `Default: \`${JSON.stringify(field.default)}\`.`,
    ]
    const row = `| \`${prefix}${name}\`${optional} | ${typeName(field)} | ${about.filter((text) => text !== '').join(' ')} |`
    const inner = field.items ?? field
    return [row, ...fieldRows(inner, `${prefix}${name}${field.items === undefined ? '' : '[]'}.`)]
  })

const typeName = (shape: Shape): string => {
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``
  if (shape.enum !== undefined) return shape.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  const choices = shape.anyOf ?? shape.oneOf
  if (choices !== undefined) return [...new Set(choices.map(choiceName))].join(' or ')
  if (shape.items !== undefined) return `list of ${typeName(shape.items)}`
  return typeof shape.type === 'string' ? shape.type : 'any'
}

/** A variant of `compose.mode`, spelled out: `{"kind": "line", "default"?}`. */
const choiceName = (shape: Shape): string => {
  if (shape.properties === undefined) return typeName(shape)
  const fields = Object.entries(shape.properties).map(([name, field]) =>
    field.const === undefined
      ? `"${name}"${shape.required?.includes(name) === true ? '' : '?'}`
      : `"${name}": ${JSON.stringify(field.const)}`,
  )
  return `\`{${fields.join(', ')}}\``
}
