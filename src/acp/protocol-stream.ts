import type {Readable} from 'node:stream'
import type {AnyMessage, Stream} from '@agentclientprotocol/sdk'
import {createLineFramer, encodeLine, type LineSink} from '../platform/json-lines.js'
import {createRequestLedger, type RequestLedger} from './request-ledger.js'

/** The two ends of the protocol: what the client writes, and where we write. */
export interface ProtocolPipe {
  readonly input: Readable
  /** Writes one whole line; settles when the pipe takes more. Never rejects: a reader that is gone ends the run. */
  write(line: string): Promise<void>
}

/** What a stream does beside carrying messages. */
export type StreamOptions = {
  /** The client has closed its end, or is gone. Called once; requests that are being answered may still end. */
  onEnd(): void
  /** How long they may take. Unit: milliseconds. */
  readonly answerWithinMs: number
  /** Aborted when our own end should be near: the reader is gone, a signal came. */
  readonly ending: AbortSignal
}

/** The longest message that is taken. Unit: bytes. */
export const maxMessageBytes = 32 * 1024 * 1024

/**
 * The protocol over a pipe, framed by the one line framer (FR-52, Q27). What is no message is answered with the
 * protocol's error and harms nothing else. At the end of the input the requests in hand are still answered, then it closes.
 */
export const createProtocolStream = (pipe: ProtocolPipe, options: StreamOptions): Stream => {
  let enqueue: (message: AnyMessage) => void = () => undefined
  const ledger = createRequestLedger((message) => enqueue(message))
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      enqueue = (message) => controller.enqueue(message)
      const framer = createLineFramer(messageSink(pipe, ledger), maxMessageBytes)
      const end = once(() => {
        framer.end()
        pipe.input.destroy()
        options.onEnd()
        void ledger.settled(options.answerWithinMs).then(() => controller.close())
      })
      pipe.input.on('data', (bytes: Buffer) => {
        framer.push(bytes)
        if ((controller.desiredSize ?? 0) <= 0) pipe.input.pause()
      })
      for (const event of ['end', 'error', 'close']) pipe.input.once(event, end)
      options.ending.addEventListener('abort', end, {once: true})
    },
    pull: () => void pipe.input.resume(),
    cancel: () => void pipe.input.destroy(),
  })
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      await pipe.write(encodeLine(message))
      ledger.written(message)
    },
  })
  return {readable, writable}
}

/** Lines become messages; the connection answers for JSON that is no message. */
const messageSink = (pipe: ProtocolPipe, ledger: RequestLedger): LineSink => {
  const refuse = (code: number, message: string): void => {
    void pipe.write(encodeLine({jsonrpc: '2.0', id: null, error: {code, message}}))
  }
  return {
    line(text) {
      if (text.trim() === '') return
      const read = parseLine(text)
      if (read === undefined) refuse(-32700, 'Parse error: this line is not JSON.')
      else ledger.take(read.message)
    },
    tooLong: (limit) => refuse(-32600, `Invalid request: a message may have ${limit} bytes at most.`),
    notUtf8: () => refuse(-32700, 'Parse error: this line is not UTF-8.'),
  }
}

const parseLine = (text: string): {readonly message: AnyMessage} | undefined => {
  try {
    return {message: JSON.parse(text)}
  } catch {
    return undefined
  }
}

const once = (act: () => void): (() => void) => {
  let done = false
  return () => {
    if (done) return
    done = true
    act()
  }
}
