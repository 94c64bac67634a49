import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {endingFrames, framesOf, type Speech, type Wire} from './wire-frames.js'

/** What the server does with one request. */
export type Reply =
  | {
      readonly says: Speech
      /**
       * `whole`: to its end. `cut`: the socket is destroyed before the end. `unfinished`: closed in order, without the
       * frames that end an answer. `stalled`: nothing more comes, and the connection stays.
       */
      readonly ends?: 'whole' | 'cut' | 'unfinished' | 'stalled'
    }
  | {readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown}
  | {readonly raw: string; readonly contentType: string}

/** A request as the server saw it. */
export type Seen = {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
  /** Settles when the connection of its answer is done with, whoever closed it. */
  readonly closed: Promise<void>
}

/** A model server on loopback. */
export interface ModelServer {
  readonly url: string
  readonly seen: readonly Seen[]
  /** Plays these replies, one a request; the last one again and again. */
  plays(...replies: readonly Reply[]): void
  close(): Promise<void>
}

const wireOf = (path: string): Wire => {
  if (path.endsWith('/messages')) return 'anthropic'
  if (path.endsWith('/responses')) return 'responses'
  return path.includes(':streamGenerateContent') ? 'google' : 'chat'
}

/** Starts a server that tells the wire by the path and answers in the shapes that the real ones have. */
export const startModelServer = async (): Promise<ModelServer> => {
  let replies: Reply[] = []
  const seen: Seen[] = []
  const server: Server = createServer((request, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    void readBody(request).then((text) => {
      const path = request.url ?? ''
      seen.push({path, headers: request.headers, body: JSON.parse(text || '{}') as Seen['body'], closed})
      const reply = replies.length > 1 ? replies.shift() : replies[0]
      if (reply === undefined) response.writeHead(500).end('{}')
      else answer(reply, wireOf(path), response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plays: (...next) => {
      replies = [...next]
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const answer = (reply: Reply, wire: Wire, response: ServerResponse): void => {
  if ('status' in reply) {
    response.writeHead(reply.status, {'content-type': 'application/json', ...reply.headers})
    response.end(JSON.stringify(reply.body))
    return
  }
  if ('raw' in reply) {
    response.writeHead(200, {'content-type': reply.contentType})
    response.end(reply.raw)
    return
  }
  const frames = framesOf(wire, reply.says)
  const ends = reply.ends ?? 'whole'
  response.writeHead(200, {'content-type': 'text/event-stream'})
  const sent = ends === 'whole' ? frames : frames.slice(0, -endingFrames[wire])
  // The bytes must be out before the connection goes, or they go with it.
  response.write(sent.join('') || ': nothing yet\n\n', () => {
    if (ends === 'whole' || ends === 'unfinished') response.end()
    if (ends === 'cut') setImmediate(() => response.destroy())
  })
}
