import type {Writable} from 'node:stream'
import {monotonicMs} from '../../platform/clock.js'
import {encodeLine} from '../../platform/json-lines.js'
import type {ToPlugin, ToPluginOf} from '../../protocol/host-to-plugin.js'

/** `events` with its data as JSON on one line already: a long conversation is not taken apart and put together again. */
export type EncodedEvents = Omit<ToPluginOf<'events'>, 'data'> & {readonly data: Buffer}

/** What can be sent. */
export type Outgoing = ToPlugin | EncodedEvents

/** What is sent to a plugin, line by line. */
export interface Outbox {
  /** Queues one message. After `close`, or when the plugin has closed its stdin, it goes nowhere. */
  send(message: Outgoing): void
  /**
   * Settles at once while little waits, else when the plugin has read on. False when it reads no more: it is given up.
   */
  hasRoom(): Promise<boolean>
  /** Ends the stdin of the plugin. */
  close(): void
}

/** How much may wait for a plugin that does not read (P19). Unit: bytes. */
const maxWaitingBytes = 64 * 1024 * 1024
/** How long a plugin over that bound may read nothing at all. Unit: milliseconds. */
const stalledMs = 5000

/** Creates the outbox of a child. A single line may be of any length: towards the plugin there is no limit. */
export const createOutbox = (stdin: Writable): Outbox => {
  let open = true
  stdin.on('error', () => {
    open = false
  })
  return {
    send(message) {
      if (!open || !stdin.writable) return
      if (isEncoded(message)) writeEncoded(stdin, message)
      else stdin.write(encodeLine(message))
    },
    async hasRoom() {
      for (let waiting = stdin.writableLength; open && waiting > maxWaitingBytes; waiting = stdin.writableLength) {
        const next = await changeOf(stdin, waiting)
        if (next === 'stalled') return false
      }
      return true
    },
    close() {
      if (!open) return
      open = false
      stdin.end()
    },
  }
}

const isEncoded = (message: Outgoing): message is EncodedEvents =>
  message.type === 'events' && Buffer.isBuffer(message.data)

const writeEncoded = (stdin: Writable, {data, ...fields}: EncodedEvents): void => {
  stdin.cork()
  stdin.write(`${JSON.stringify(fields).slice(0, -1)},"data":`)
  stdin.write(data)
  stdin.write('}\n')
  stdin.uncork()
}

/** Waits until less waits than before, the stream ends, or nothing has moved for too long. */
const changeOf = (stdin: Writable, before: number): Promise<'moved' | 'stalled'> =>
  new Promise((resolve) => {
    const deadline = monotonicMs() + stalledMs
    const timer = setInterval(() => {
      const moved = stdin.destroyed || stdin.writableLength < before
      if (!moved && monotonicMs() < deadline) return
      clearInterval(timer)
      resolve(moved ? 'moved' : 'stalled')
    }, 20)
  })
