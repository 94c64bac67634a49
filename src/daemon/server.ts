import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {getRequestListener, type HttpBindings} from '@hono/node-server'
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response'
import {Hono} from 'hono'
import {JpError} from '../errors/jp-error.js'
import type {Daemon} from './daemon.js'
import {type GuardPolicy, guard, pathOf} from './guard.js'
import {type Problem, problemOf} from './problem.js'
import {readBody} from './read-body.js'
import {eventStreamTo} from './response-sink.js'
import type {Call, Reply, Route} from './route.js'

/** Every answer of the daemon: nothing is kept by a browser, and nothing is guessed by one. */
const commonHeaders = {'cache-control': 'no-store', 'x-content-type-options': 'nosniff'}

type Env = {Bindings: HttpBindings}

/** What a server is made from. */
export type ServerParts = {
  readonly routes: readonly Route[]
  readonly policy: GuardPolicy
  readonly daemon: Daemon
}

/** Creates the server; it is not bound yet. */
export const createDaemonServer = ({routes, policy, daemon}: ServerParts): Server => {
  const listener = getRequestListener(createApp(routes, daemon).fetch)
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      guard(request, policy)
      assertDecodable(pathOf(request))
    } catch (error) {
      return refuse(response, problemOf(error))
    }
    void listener(request, response)
  }
  const server = createServer({requestTimeout: 60_000, headersTimeout: 20_000, maxHeaderSize: 32 * 1024}, answer)
  // A client that asks first whether it may send its body goes through the same guard.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.writeContinue()
    answer(request, response)
  })
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'))
  return server
}

/** The body of a refused request is let through unread, so that a client that is still sending sees the answer. */
const refuse = (response: ServerResponse, {status, headers, body}: Problem): void => {
  response.writeHead(status, {...commonHeaders, ...headers, 'content-type': jsonType})
  response.end(`${JSON.stringify(body)}\n`)
}

const jsonType = 'application/json; charset=utf-8'

const createApp = (routes: readonly Route[], daemon: Daemon): Hono<Env> => {
  const app = new Hono<Env>()
  for (const route of routes) {
    app.on(route.method, route.path, async (context) => {
      const {incoming, outgoing} = context.env
      // hono serves HEAD by the route of GET; a stream has no head without its body.
      if (incoming.method !== route.method) throw methodNotAllowed(incoming.method ?? '', [route.method])
      const startMs = performance.now()
      const call: Call = {
        params: context.req.param(),
        query: new URLSearchParams(incoming.url?.split('?')[1] ?? ''),
        header: (name) => headerOf(incoming, name),
        clientId: clientIdOf(incoming),
        body: await readBody(incoming, route.body),
      }
      const reply = await route.run(call, daemon)
      daemon.log.write('debug', 'http', `${route.method} ${route.path}`, {
        status: 'status' in reply ? reply.status : 200,
        ms: Math.round(performance.now() - startMs),
      })
      return respond(reply, incoming, outgoing)
    })
  }
  app.notFound((context) => {
    const {incoming} = context.env
    const allow = verbsOf(routes, pathOf(incoming))
    throw allow.length === 0 ? routeNotFound() : methodNotAllowed(incoming.method ?? '', allow)
  })
  app.onError((error, context) => {
    const problem = problemOf(error)
    const level = problem.status >= 500 ? 'error' : 'debug'
    daemon.log.write(level, 'http', `${context.req.method} refused: ${problem.body.code}`, {
      status: problem.status,
      ...(problem.status >= 500 ? {reason: error.message} : {}),
    })
    return jsonResponse(problem.status, problem.body, problem.headers)
  })
  return app
}

const respond = (reply: Reply, request: IncomingMessage, response: ServerResponse): Response => {
  if ('stream' in reply) {
    eventStreamTo(request, response, reply)
    return RESPONSE_ALREADY_SENT
  }
  if ('text' in reply) {
    return new Response(reply.text, {status: reply.status ?? 200, headers: {...commonHeaders, ...reply.headers}})
  }
  if (reply.body === undefined) {
    return new Response(null, {status: reply.status, headers: {...commonHeaders, ...reply.headers}})
  }
  return jsonResponse(reply.status, reply.body, reply.headers ?? {})
}

const jsonResponse = (status: number, body: unknown, headers: Readonly<Record<string, string>>): Response =>
  new Response(JSON.stringify(body), {status, headers: {...commonHeaders, 'content-type': jsonType, ...headers}})

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

/** @throws JpError `invalid_request`. */
const assertDecodable = (path: string): void => {
  try {
    decodeURIComponent(path)
  } catch (error) {
    throw new JpError('invalid_request', 'Malformed URL encoding.', {cause: error})
  }
}

const routeNotFound = (): JpError =>
  new JpError('route_not_found', 'There is no such route.', {hint: 'GET /openapi.json lists the routes.'})

const methodNotAllowed = (method: string, allow: readonly string[]): JpError =>
  new JpError('method_not_allowed', `This route does not take ${method}.`, {details: {allow: allow.join(', ')}})

/** The verbs that a path takes. */
const verbsOf = (routes: readonly Route[], path: string): string[] => {
  const parts = path.split('/')
  const fits = (route: Route): boolean => {
    const pattern = route.path.split('/')
    return (
      pattern.length === parts.length &&
      pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
    )
  }
  return [...new Set(routes.filter(fits).map(({method}) => method))].sort()
}
