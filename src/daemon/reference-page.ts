import {bodySchemaOf} from './openapi.js'
import type {Route, Scope} from './route.js'
import {routeTable} from './route-table.js'

/** The reference page of the daemon's interface, from its own route table and schemas (Q10). */
export const renderDaemonPage = (): string =>
  ['# Daemon API', intro, ...sections.map(({scope, title, about}) => section(title, about, scope))].join('\n\n')

const intro = `What \`jp serve\` answers over HTTP. Requests carry \`Authorization: Bearer <token>\`; "jp serve env" prints it. Bodies and
answers are JSON. An error is \`{"error", "code", "hint"?}\` and fields that name its subject; the codes are in
[errors.md](errors.md). \`GET /openapi.json\` has the same as OpenAPI 3.1.`

const sections: readonly {readonly scope: Scope; readonly title: string; readonly about: string}[] = [
  {scope: 'daemon', title: 'The daemon', about: 'What is about the daemon itself.'},
  {
    scope: 'workspace',
    title: 'Workspaces and their sessions',
    about:
      'A workspace is named by its exact path or its id of 16 digits; where `cwd` is left out, it is the primary. A workspace that is not trusted takes no sessions, unless it is the primary.',
  },
  {
    scope: 'owner',
    title: 'Live sessions',
    about: 'These follow the session to its workspace. A session that is not live is a 404 `session_not_found`.',
  },
  {
    scope: 'primary',
    title: 'The primary workspace',
    about: 'These are for sessions of the primary workspace, the first `-w`.',
  },
]

const section = (title: string, about: string, scope: Scope): string =>
  [`## ${title}`, about, ...routeTable.filter((route) => route.scope === scope).map(routeText)].join('\n\n')

const routeText = (route: Route): string => {
  const lines = [`### ${route.method} ${route.path}`, '', route.summary]
  const properties: unknown = bodySchemaOf(route)?.['properties']
  if (typeof properties !== 'object' || properties === null || Object.keys(properties).length === 0) {
    return lines.join('\n')
  }
  const required: unknown = bodySchemaOf(route)?.['required']
  const rows = Object.entries(properties).map(([name, schema]) => fieldRow(name, schema, required))
  return [...lines, '', '| field | type | |', '| --- | --- | --- |', ...rows].join('\n')
}

const fieldRow = (name: string, schema: unknown, required: unknown): string => {
  const {type, enum: values, description = '', anyOf} = (schema ?? {}) as Readonly<Record<string, unknown>>
  const kinds = Array.isArray(values) ? values.map((value) => `\`${String(value)}\``).join(', ') : kindOf(type, anyOf)
  const must = Array.isArray(required) && required.includes(name) ? 'Required. ' : ''
  return `| \`${name}\` | ${kinds} | ${must}${typeof description === 'string' ? description : ''} |`
}

const kindOf = (type: unknown, anyOf: unknown): string => {
  if (typeof type === 'string') return type
  if (!Array.isArray(anyOf)) return 'any'
  return anyOf
    .map((one: {readonly type?: unknown}) => (typeof one.type === 'string' ? one.type : 'object'))
    .join(' or ')
}
