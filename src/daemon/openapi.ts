import {z} from 'zod'
import {requestSchemas} from '../protocol/http-requests.js'
import type {Route} from './route.js'

type JsonObject = Readonly<Record<string, unknown>>

const problem: JsonObject = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: {type: 'string', description: 'What went wrong, for people.'},
    code: {type: 'string', description: 'What went wrong, for programs; see docs/reference/errors.md.'},
    hint: {type: 'string', description: 'What to do next.'},
  },
  additionalProperties: true,
}

const refusal = {
  description: 'Refused.',
  content: {'application/json': {schema: {$ref: '#/components/schemas/Problem'}}},
}

/** Query parameters and headers that a path takes. */
const parametersOf = (path: string): readonly JsonObject[] => {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: {type: 'string'},
  }))
  const query = (name: string, description: string) => ({name, in: 'query', description, schema: {type: 'string'}})
  const header = (name: string, description: string) => ({name, in: 'header', description, schema: {type: 'string'}})
  if (path.endsWith('/events')) {
    return [
      ...inPath,
      header('Last-Event-ID', 'The id of the last event that was read.'),
      header('X-Qwen-Event-Epoch', 'The epoch that the id belongs to.'),
      query('snapshot', '1 for the state of the session first.'),
      query('maxQueued', 'Warn when this many events behind; 16 to 2048.'),
    ]
  }
  if (path.endsWith('/sessions')) {
    return [
      ...inPath,
      query('size', 'Sessions on a page.'),
      query('cursor', '`nextCursor` of the page before.'),
      query('archiveState', '`active` or `archived`.'),
      query('view', '`organized`.'),
      query('group', '`all`, `pinned`, `ungrouped`, or the id of a group.'),
    ]
  }
  if (path.endsWith('/export')) return [...inPath, query('format', '`html`, `md`, `json` or `jsonl`.')]
  if (path.endsWith('/context-usage')) return [...inPath, query('detail', '`true` for more.')]
  if (path === '/daemon/status') return [query('detail', '`summary` or `full`.')]
  return inPath
}

/** The JSON Schema of a request body, from the very schema that validates it. */
export const bodySchemaOf = ({body}: Route): JsonObject | undefined =>
  body === undefined ? undefined : z.toJSONSchema(requestSchemas[body], {io: 'input'})

const operationOf = (route: Route): JsonObject => {
  const schema = bodySchemaOf(route)
  const isStream = route.path.endsWith('/events')
  return {
    summary: route.summary,
    tags: [route.scope],
    parameters: parametersOf(route.path),
    ...(schema === undefined ? {} : {requestBody: {content: {'application/json': {schema}}}}),
    ...(route.path === '/health' || route.path === '/open/:code' ? {security: []} : {}),
    responses: {
      '2XX': {description: 'Done.', content: {[isStream ? 'text/event-stream' : 'application/json']: {}}},
      default: refusal,
    },
  }
}

/** The daemon's interface as OpenAPI 3.1 (D23). What is not served is not listed (D22). */
export const openApiOf = (routes: readonly Route[], version: string): JsonObject => {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const route of routes.filter(({scope}) => scope !== 'unsupported')) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = {...paths[path], [route.method.toLowerCase()]: operationOf(route)}
  }
  return {
    openapi: '3.1.0',
    info: {title: 'jp serve', version, description: 'Sessions of several workspaces over HTTP and server-sent events.'},
    security: [{token: []}],
    components: {
      securitySchemes: {token: {type: 'http', scheme: 'bearer'}},
      schemas: {Problem: problem},
    },
    paths,
  }
}
