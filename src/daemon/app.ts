import type {IncomingMessage, ServerResponse} from 'node:http'
import {TrieRouter} from 'hono/router/trie-router'
import {JpError} from '../errors/jp-error.js'
import type {Daemon} from './daemon.js'
import {commonHeaders, jsonType, pathOf} from './guard.js'
import {problemOf} from './problem.js'
import {readBody} from './read-body.js'
import {eventStreamTo} from './response-sink.js'
import type {Call, Reply, Route} from './route.js'

/** Answers a request that has passed the guard. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** A route, and the named parts of a path that it takes. */
type Match = {readonly route: Route; readonly params: Readonly<Record<string, string>>}

/** Creates what answers requests by the route table. */
export const createListener = (routes: readonly Route[], daemon: Daemon): Listener => {
  const matchOf = createMatcher(routes)
  return async (request, response) => {
    const startMs = performance.now()
    try {
      const {route, params} = matchOf(request)
      const call: Call = {
        params,
        query: new URLSearchParams(request.url?.split('?')[1] ?? ''),
        header: (name) => headerOf(request, name),
        clientId: clientIdOf(request),
        body: await readBody(request, route.body),
      }
      const reply = await route.run(call, daemon)
      daemon.log.write('debug', 'http', `${route.method} ${route.path}`, {
        status: 'status' in reply ? reply.status : 200,
        ms: Math.round(performance.now() - startMs),
      })
      respond(reply, request, response)
    } catch (error) {
      refuse(error, {request, response}, daemon)
    }
  }
}

/**
 * Finds the route of a request; a verb that the path does not take names those that it does.
 * @throws JpError `route_not_found`, `method_not_allowed`.
 */
const createMatcher = (routes: readonly Route[]): ((request: IncomingMessage) => Match) => {
  const router = new TrieRouter<Route>()
  for (const route of routes) router.add(route.method, route.path, route)
  const methods = [...new Set(routes.map(({method}) => method))].sort()
  const find = (method: string, path: string): Match | undefined => {
    const [first] = router.match(method, path)[0]
    if (first === undefined) return undefined
    const params = Object.entries(first[1]).map(([name, part]) => [name, decodeURIComponent(String(part))])
    return {route: first[0], params: Object.fromEntries(params)}
  }
  return (request) => {
    const [method, path] = [request.method ?? '', pathOf(request)]
    const found = find(method, path)
    if (found !== undefined) return found
    const allow = methods.filter((other) => find(other, path) !== undefined)
    throw allow.length === 0 ? routeNotFound() : methodNotAllowed(method, allow)
  }
}

const respond = (reply: Reply, request: IncomingMessage, response: ServerResponse): void => {
  if ('stream' in reply) return eventStreamTo(request, response, reply)
  const [type, text] =
    'text' in reply
      ? [{}, reply.text]
      : reply.body === undefined
        ? [{}, '']
        : [{'content-type': jsonType}, asJson(reply)]
  response.writeHead(reply.status ?? 200, {...commonHeaders, ...type, ...reply.headers})
  response.end(text)
}

const asJson = ({body}: {readonly body?: unknown}): string => JSON.stringify(body)

type Exchange = {readonly request: IncomingMessage; readonly response: ServerResponse}

const refuse = (error: unknown, {request, response}: Exchange, {log}: Daemon): void => {
  const {status, headers, body} = problemOf(error)
  log.write(status >= 500 ? 'error' : 'debug', 'http', `${request.method} refused: ${body.code}`, {
    status,
    ...(status >= 500 ? {reason: error instanceof Error ? error.message : String(error)} : {}),
  })
  // What has begun can't be taken back; only cut off.
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, {...commonHeaders, 'content-type': jsonType, ...headers})
  response.end(JSON.stringify(body))
}

const headerOf = ({headers}: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** @throws JpError `invalid_client_id`. */
const clientIdOf = (request: IncomingMessage): string | undefined => {
  const id = headerOf(request, 'x-qwen-client-id')
  if (id === undefined || /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(id)) return id
  throw new JpError('invalid_client_id', 'X-Qwen-Client-Id must be one token of at most 128 characters.')
}

const routeNotFound = (): JpError =>
  new JpError('route_not_found', 'There is no such route.', {hint: 'GET /openapi.json lists the routes.'})

const methodNotAllowed = (method: string, allow: readonly string[]): JpError =>
  new JpError('method_not_allowed', `This route does not take ${method}.`, {details: {allow: allow.join(', ')}})
