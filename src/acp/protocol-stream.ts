import type {Readable} from 'node:stream'
import type {AnyMessage, Stream} from '@agentclientprotocol/sdk'
import {createLineFramer, encodeLine} from '../platform/json-lines.js'

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
  const open = createOpenRequests()
  const answerError = (code: number, message: string): void => {
    void pipe.write(encodeLine({jsonrpc: '2.0', id: null, error: {code, message}}))
  }
  const entrance = createEntrance()
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      entrance.pass = (message) => controller.enqueue(message)
      const framer = createLineFramer(
        {
          line(text) {
            if (text.trim() === '') return
            const message = parseLine(text)
            if (message === undefined) return answerError(-32700, 'Parse error: this line is not JSON.')
            open.asked(message.value)
            entrance.take(message.value)
          },
          tooLong: (limit) => answerError(-32600, `Invalid request: a message may have ${limit} bytes at most.`),
          notUtf8: () => answerError(-32700, 'Parse error: this line is not UTF-8.'),
        },
        maxMessageBytes,
      )
      const end = createOnce(() => {
        framer.end()
        pipe.input.destroy()
        options.onEnd()
        void open.settled(options.answerWithinMs).then(() => controller.close())
      })
      pipe.input.on('data', (bytes: Buffer) => {
        framer.push(bytes)
        if ((controller.desiredSize ?? 0) <= 0) pipe.input.pause()
      })
      pipe.input.once('end', end).once('error', end).once('close', end)
      options.ending.addEventListener('abort', end, {once: true})
    },
    pull: () => void pipe.input.resume(),
    cancel: () => void pipe.input.destroy(),
  })
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      await pipe.write(encodeLine(message))
      entrance.answered(message)
      open.answered(message)
    },
  })
  return {readable, writable}
}

const createOnce = (act: () => void): (() => void) => {
  let done = false
  return () => {
    if (done) return
    done = true
    act()
  }
}

/** Whatever JSON it is: the connection answers for what is no message of the protocol. */
const parseLine = (text: string): {readonly value: AnyMessage} | undefined => {
  try {
    return {value: JSON.parse(text)}
  } catch {
    return undefined
  }
}

/**
 * Holds back what a client sends behind `initialize` without waiting for its answer: the connection would refuse it as
 * coming too early.
 */
const createEntrance = () => {
  let held: AnyMessage[] | undefined
  let initializing: unknown
  const entrance = {
    pass: (_message: AnyMessage): void => undefined,
    take(message: AnyMessage): void {
      if (held !== undefined) return void held.push(message)
      if (isObject(message) && 'method' in message && message.method === 'initialize' && 'id' in message) {
        initializing = message.id
        held = []
      }
      entrance.pass(message)
    },
    answered(message: AnyMessage): void {
      if (held === undefined || 'method' in message || message.id !== initializing) return
      const waiting = held
      held = undefined
      for (const next of waiting) entrance.take(next)
    },
  }
  return entrance
}

/** The requests of the client that have no answer yet. */
const createOpenRequests = () => {
  const ids = new Set<unknown>()
  let idle: (() => void) | undefined
  return {
    asked(message: unknown): void {
      if (!isObject(message) || !('jsonrpc' in message) || message.jsonrpc !== '2.0') return
      if ('method' in message && 'id' in message) ids.add(message.id)
    },
    answered(message: unknown): void {
      if (isObject(message) && !('method' in message) && 'id' in message) ids.delete(message.id)
      if (ids.size === 0) idle?.()
    },
    /** Settles when none is open, or when the time is over. */
    settled(withinMs: number): Promise<void> {
      if (ids.size === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs)
        idle = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
