/** Which turn and which client an event is about. */
export type EventAbout = {readonly promptId?: string | undefined; readonly originatorClientId?: string | undefined}

/** What goes out as one SSE event; `data` of the frame repeats all of it (facts 5). */
export type SessionEvent = EventAbout & {
  /** Absent for a frame of one subscriber alone. */
  readonly id?: number
  readonly v: 1
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly _meta: {readonly serverTimestamp: number}
}

/** An event put together. @param nowMs when it happened. Unit: milliseconds since the epoch. */
export const createEvent = (
  type: string,
  data: Readonly<Record<string, unknown>>,
  {nowMs, id, promptId, originatorClientId}: EventAbout & {readonly nowMs: number; readonly id?: number},
): SessionEvent => ({
  ...(id === undefined ? {} : {id}),
  v: 1,
  type,
  ...(promptId === undefined ? {} : {promptId}),
  data,
  ...(originatorClientId === undefined ? {} : {originatorClientId}),
  _meta: {serverTimestamp: nowMs},
})

/** The event as a frame of an event stream. JSON holds no line feed, so one `data:` line is enough. */
export const frameOf = (event: SessionEvent): string =>
  `${event.id === undefined ? '' : `id: ${event.id}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** The event that a frame holds. */
export const eventOf = (frame: string): SessionEvent => JSON.parse(frame.slice(frame.indexOf('\ndata: ') + 7))

/** What a stream begins with: how long a reader waits before it comes again. */
export const retryFrame = 'retry: 3000\n\n'

/** A comment that keeps an idle connection open. */
export const heartbeatFrame = ': heartbeat\n\n'
