import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {JpError} from '../errors/jp-error.js'
import type {Listener} from './app.js'
import type {Daemon} from './daemon.js'
import {commonHeaders, type GuardPolicy, guard, jsonType, pathOf} from './guard.js'
import {type Problem, problemOf} from './problem.js'
import type {Route} from './route.js'

/** What a server is made from. */
export type ServerParts = {
  readonly routes: readonly Route[]
  readonly policy: GuardPolicy
  readonly daemon: Daemon
  /** How many sockets may be open; undefined: no cap. */
  readonly maxConnections: number | undefined
}

/** A server, not bound yet. */
export type DaemonServer = {
  readonly server: Server
  /** Loads what answers requests. The first request waits for it; nothing is answered before everything can be (D23). */
  readonly warmUp: () => Promise<unknown>
}

/** Creates the server: the guard, and behind it the routes, which are loaded once it listens (D2). */
export const createDaemonServer = ({routes, policy, daemon, maxConnections}: ServerParts): DaemonServer => {
  let loading: Promise<Listener> | undefined
  const load = (): Promise<Listener> => {
    loading ??= import('./app.js').then(({createListener}) => createListener(routes, daemon))
    return loading
  }
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      guard(request, policy)
      assertDecodable(pathOf(request))
    } catch (error) {
      return refuse(response, problemOf(error))
    }
    void load().then((listener) => listener(request, response))
  }
  const server = createServer({requestTimeout: 60_000, headersTimeout: 20_000, maxHeaderSize: 32 * 1024}, answer)
  // What a flood of connections would cost is bounded before a byte of them is read (D15, D25).
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  server.on('drop', () => daemon.log.write('warn', 'http', `reset a connection beyond --max-connections`))
  // A client that asks first whether it may send its body goes through the same guard.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.writeContinue()
    answer(request, response)
  })
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'))
  return {server, warmUp: load}
}

/** The body of a refused request is let through unread, so that a client that is still sending sees the answer. */
const refuse = (response: ServerResponse, {status, headers, body}: Problem): void => {
  response.writeHead(status, {...commonHeaders, ...headers, 'content-type': jsonType})
  response.end(`${JSON.stringify(body)}\n`)
}

/** @throws JpError `invalid_request`. */
const assertDecodable = (path: string): void => {
  try {
    decodeURIComponent(path)
  } catch (error) {
    throw new JpError('invalid_request', 'Malformed URL encoding.', {cause: error})
  }
}
