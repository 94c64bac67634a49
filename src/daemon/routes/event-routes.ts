import {JpError} from '../../errors/jp-error.js'
import {type Call, ownerRoute, type Route} from '../route.js'
import type {ReadFrom} from '../session-log.js'

/** Where a reader wants to go on. @throws JpError `invalid_last_event_id`, `invalid_max_queued`. */
const readFrom = (call: Call): ReadFrom => ({
  lastEventId: lastEventId(call.header('last-event-id')),
  epoch: call.header('x-qwen-event-epoch'),
  maxQueued: maxQueued(call.query.get('maxQueued')),
})

/** An id that is no number would make a reader believe that it goes on where it left off (D16). */
const lastEventId = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new JpError('invalid_last_event_id', 'Last-Event-ID must be a number.', {
    hint: 'Send the id of the last event that was read, or leave the header out.',
    details: {lastEventId: text.slice(0, 64)},
  })
}

const maxQueued = (text: string | null): number | undefined => {
  if (text === null) return undefined
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (number >= 16 && number <= 2048) return number
  throw new JpError('invalid_max_queued', '`maxQueued` must be between 16 and 2048.')
}

/** The event stream of a session (D16). */
export const eventRoutes: readonly Route[] = [
  ownerRoute({
    method: 'GET',
    path: '/session/:id/events',
    summary: 'Server-sent events of a session, from now on or from a `Last-Event-ID`.',
    run({call, session}) {
      const from = readFrom(call)
      return {
        headers: {'x-qwen-event-epoch': session.epoch},
        stream: (sink) => session.read(sink, from, call.query.get('snapshot') === '1'),
      }
    },
  }),
]
