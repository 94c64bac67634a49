import {randomUUID} from 'node:crypto'
import type {IncomingMessage, ServerResponse} from 'node:http'
import type {FrameSink} from './event-stream.js'
import {problemOf} from './problem.js'

/** What a reply that streams brings. */
export type StreamReply = {
  readonly headers: Readonly<Record<string, string>>
  stream(sink: FrameSink): () => void
}

/**
 * Opens an event stream on a response. The head goes out with the first frame, so that a stream which can not start is
 * still answered as an error.
 */
export const eventStreamTo = (request: IncomingMessage, response: ServerResponse, reply: StreamReply): void => {
  const sink: FrameSink = {
    write(text) {
      if (!response.headersSent) {
        response.writeHead(200, {
          'content-type': 'text/event-stream',
          'cache-control': 'no-cache, no-transform',
          'x-accel-buffering': 'no',
          'x-qwen-sse-stream-id': randomUUID(),
          ...reply.headers,
        })
      }
      return response.write(text)
    },
    onceWritable: (listener) => void response.once('drain', listener),
    end: () => void response.end(),
  }
  request.socket.setNoDelay(true)
  try {
    const stop = reply.stream(sink)
    // A reader that has left while its request was looked at closes nothing any more.
    if (response.destroyed) stop()
    else response.once('close', stop)
  } catch (error) {
    const {status, headers, body} = problemOf(error)
    response.writeHead(status, {...headers, 'content-type': 'application/json; charset=utf-8'})
    response.end(JSON.stringify(body))
  }
}
