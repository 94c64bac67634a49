import type {IncomingMessage, ServerResponse} from 'node:http'
import {getRequestListener, type HttpBindings} from '@hono/node-server'
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response'
import {Hono} from 'hono'
import {JpError} from '../errors/jp-error.js'
import {monotonicMs} from '../platform/clock.js'
import type {Daemon} from './daemon.js'
import {commonHeaders, jsonType, pathOf} from './guard.js'
import {problemOf} from './problem.js'
import {readBody} from './read-body.js'
import {eventStreamTo} from './response-sink.js'
import type {Call, Reply, Route} from './route.js'

type Env = {Bindings: HttpBindings}

/** Answers a request that has passed the guard. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Creates what answers requests by the route table. */
export const createListener = (routes: readonly Route[], daemon: Daemon): Listener =>
  getRequestListener(createApp(routes, daemon).fetch)

const createApp = (routes: readonly Route[], daemon: Daemon): Hono<Env> => {
  const app = new Hono<Env>()
  for (const route of routes) {
    app.on(route.method, route.path, async (context) => {
      const {incoming, outgoing} = context.env
      // hono serves HEAD by the route of GET; a stream has no head without its body.
      if (incoming.method !== route.method) throw methodNotAllowed(incoming.method ?? '', [route.method])
      const startMs = monotonicMs()
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
        ms: Math.round(monotonicMs() - startMs),
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
