import type {JSONRPCMessage, Transport} from '@modelcontextprotocol/client'
import {JpError} from '../errors/jp-error.js'
import type {Child} from '../platform/child-process.js'
import {createLineFramer, encodeLine} from '../platform/json-lines.js'
import {settledWithin} from '../platform/pause.js'

/** A longer message ends the server. Unit: bytes. */
const maxMessageBytes = 256 * 1024 * 1024

/** How long a server may take to end once its stdin is closed. Unit: milliseconds. */
const farewellMs = 1000

/** How long it may take after SIGTERM, before SIGKILL. Unit: milliseconds. */
const graceMs = 2000

/** What a transport says of the stream that it reads. */
export interface TransportSink {
  /** A line that is no message, counted from 1. It is passed over (FR-33). */
  notMessage(line: string, number: number): void
  /** Nobody of the child's group is left. */
  ended(): void
}

/** The parser of the protocol's messages; throws at what is none. */
export type ParseMessage = (value: unknown) => JSONRPCMessage

/**
 * The stdio transport, over jp's own spawner and line framer: the server leads a process group that ends as a whole
 * (FR-29), and a message may be split anywhere (Q27). It owns the child.
 */
export const createStdioTransport = (child: Child, parse: ParseMessage, sink: TransportSink): Transport => {
  let number = 0
  let closed: Promise<void> | undefined
  const transport: Transport = {
    start: () => {
      listen()
      return Promise.resolve()
    },
    send: (message) => write(child, encodeLine(message)),
    close: () => {
      closed ??= end()
      return closed
    },
  }

  const receive = (line: string): void => {
    number += 1
    if (line.trim() === '') return
    let message: JSONRPCMessage
    try {
      message = parse(JSON.parse(line))
    } catch {
      sink.notMessage(line, number)
      return
    }
    transport.onmessage?.(message)
  }

  const listen = (): void => {
    const framer = createLineFramer(
      {
        line: receive,
        tooLong: () => void transport.close(),
        notUtf8: (bytes) => sink.notMessage(bytes.toString('latin1'), (number += 1)),
      },
      maxMessageBytes,
    )
    child.stdin?.on('error', () => undefined)
    child.stdout.on('error', () => undefined)
    child.stdout.on('data', (bytes: Buffer) => framer.push(bytes))
    const read = new Promise<void>((resolve) => child.stdout.once('close', resolve))
    // A grandchild may hold the pipe: what the server itself wrote is there soon.
    void child.exited
      .then(() => settledWithin(read, 200))
      .then(() => framer.end())
      .then(() => transport.close())
  }

  const end = async (): Promise<void> => {
    child.stdin?.end()
    await settledWithin(child.exited, farewellMs)
    await child.endGroup(graceMs)
    sink.ended()
    child.stdout.destroy()
    child.stderr.destroy()
    transport.onclose?.()
  }

  return transport
}

const write = async (child: Child, line: string): Promise<void> => {
  try {
    await writeLine(child, line)
  } catch (error) {
    // Who can't be written to has mostly exited: then that is what there is to tell.
    await settledWithin(child.exited, 500)
    throw error
  }
}

const writeLine = (child: Child, line: string): Promise<void> =>
  new Promise((resolve, reject) => {
    if (child.stdin === undefined) reject(new JpError('internal', 'The server was started without a stdin.'))
    else child.stdin.write(line, (error) => (error ? reject(error) : resolve()))
  })
