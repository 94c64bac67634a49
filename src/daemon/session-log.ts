import type {SessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import {createEventRing, type RingBounds} from './event-ring.js'
import {createEventStream, type EventStream, type FrameSink} from './event-stream.js'
import {
  createEvent,
  type EventAbout,
  eventOf,
  frameOf,
  heartbeatFrame,
  retryFrame,
  type SessionEvent,
} from './session-event.js'

/** Where a reader wants to go on. */
export type ReadFrom = {
  /** Its `Last-Event-ID`; undefined for what happens from now on. */
  readonly lastEventId: number | undefined
  /** The epoch that the id belongs to, when the reader knows it. */
  readonly epoch: string | undefined
  /** How many events behind it wants to be warned. */
  readonly maxQueued: number | undefined
}

/** The events of one session: a ring, and the readers that are fed from it. */
export interface SessionLog {
  /** One for each life of a ring: ids of another epoch mean nothing here. */
  readonly epoch: string
  readonly lastEventId: number
  readonly readers: number
  /** Adds an event for every reader; gives its id. */
  emit(type: string, data: Readonly<Record<string, unknown>>, about?: EventAbout): number
  /**
   * Feeds a reader until it or the session ends. Its first frames: a resync when its place is gone, the replay, the
   * end of the replay; then what `openings` gives, in frames without an id.
   * @param openings gives them for the id from which the reader was served; it is asked once.
   * @returns the function to call when the reader has gone.
   * @throws JpError `subscriber_limit_exceeded`.
   */
  read(sink: FrameSink, from: ReadFrom, openings: (servedFromId: number) => readonly Opening[]): () => void
  /** Every event that is still held. */
  events(): readonly SessionEvent[]
  /** The session has ended: every reader gets the rest, and its stream ends. */
  end(): void
}

/** What is told to one reader alone. */
export type Opening = {readonly type: string; readonly data: Readonly<Record<string, unknown>>}

/** What a log stands on. */
export type SessionLogDeps = {
  readonly sessionId: SessionId
  readonly clock: Clock
  readonly epoch: string
  readonly bounds: RingBounds
  readonly maxReaders: number
  /** How long a stream stays silent. Unit: milliseconds. */
  readonly heartbeatMs: number
}

/** A reader is warned when it is this part of its queue behind. */
const warnPart = 0.75

/** Creates an empty log. */
export const createSessionLog = (deps: SessionLogDeps): SessionLog => {
  const ring = createEventRing(deps.bounds)
  const streams = new Set<EventStream>()
  let unread = {frames: 0, units: 0}
  let ended = false

  const pump = (): void => {
    unread = {frames: 0, units: 0}
    for (const stream of streams) stream.pump()
  }
  // What arrives together is written together: one pump a tick, however many chunks the tick brought. But a ring that
  // would turn over within one tick is emptied before.
  const pumpSoon = (units: number): void => {
    unread = {frames: unread.frames + 1, units: unread.units + units}
    if (unread.frames * 2 >= deps.bounds.maxFrames || unread.units * 2 >= deps.bounds.maxUnits) return pump()
    if (unread.frames > 1) return
    queueMicrotask(() => {
      if (unread.frames > 0) pump()
    })
  }
  const aside = (type: string, data: Readonly<Record<string, unknown>>): string =>
    frameOf(createEvent(type, data, {nowMs: deps.clock.nowMs()}))

  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.keepOpen(heartbeatFrame)
  }, deps.heartbeatMs)
  heartbeat.unref()

  const open = (sink: FrameSink, fromId: number, maxQueued: number | undefined): EventStream => {
    const stream: EventStream = createEventStream({
      ring,
      sink,
      fromId,
      warnBehind: Math.max(1, Math.floor((maxQueued ?? ring.capacity) * warnPart)),
      warningFrame: (behind, lastId) =>
        aside('slow_client_warning', {
          queueSize: behind,
          maxQueued: maxQueued ?? ring.capacity,
          lastEventId: lastId,
          threshold: 'frames',
        }),
      evictedFrame: (nextId) =>
        aside('client_evicted', {
          reason: 'ring_overrun',
          droppedAfter: nextId - 1,
          earliestAvailableId: ring.firstId,
        }),
      onEnd: () => streams.delete(stream),
    })
    streams.add(stream)
    return stream
  }

  return {
    epoch: deps.epoch,
    get lastEventId() {
      return ring.lastId
    },
    get readers() {
      return streams.size
    },
    emit(type, data, about = {}) {
      const nowMs = deps.clock.nowMs()
      let units = 0
      const id = ring.append((newId) => {
        const frame = frameOf(createEvent(type, data, {...about, nowMs, id: newId}))
        units = frame.length
        return frame
      })
      pumpSoon(units)
      return id
    },
    read(sink, from, openings) {
      if (streams.size >= deps.maxReaders) throw tooManyReaders(deps.sessionId, deps.maxReaders)
      const place = placeOf(ring, deps.epoch, from)
      const stream = open(sink, place.fromId, from.maxQueued)
      const resync = place.resync === undefined ? '' : aside('state_resync_required', place.resync)
      stream.tell(`${retryFrame}${resync}`, place.fromId)
      const lastEventId = ring.lastId
      if (from.lastEventId !== undefined) {
        const replayedCount = Math.max(0, lastEventId - place.fromId + 1)
        stream.tell(aside('replay_complete', {lastReplayedEventId: lastEventId, lastEventId, replayedCount}))
      }
      for (const {type, data} of openings(place.fromId)) stream.tell(aside(type, data))
      if (ended) stream.finish()
      return () => {
        stream.stop()
        streams.delete(stream)
      }
    },
    events: () => ring.frames().map(eventOf),
    end() {
      ended = true
      clearInterval(heartbeat)
      for (const stream of Array.from(streams)) stream.finish()
    },
  }
}

type Place = {readonly fromId: number; readonly resync?: Readonly<Record<string, unknown>>}

type Bounds = {readonly firstId: number; readonly lastId: number}

/** Where a reader goes on, and what it must be told when that is not where it left off. */
const placeOf = (ring: Bounds, epoch: string, from: ReadFrom): Place => {
  const {lastEventId} = from
  if (lastEventId === undefined) return {fromId: ring.lastId + 1}
  const resync = (reason: string, detail?: string): Place => ({
    fromId: ring.firstId,
    resync: {
      reason,
      ...(detail === undefined ? {} : {detail}),
      lastDeliveredId: lastEventId,
      earliestAvailableId: ring.firstId,
    },
  })
  if (from.epoch !== undefined && from.epoch !== epoch) return resync('epoch_reset', 'epoch_mismatch')
  if (lastEventId > ring.lastId) return resync('epoch_reset')
  if (lastEventId + 1 < ring.firstId) return resync('ring_evicted')
  return {fromId: lastEventId + 1}
}

const tooManyReaders = (sessionId: string, limit: number): JpError =>
  new JpError('subscriber_limit_exceeded', `This session has ${limit} readers already.`, {
    hint: 'Close an event stream that nobody reads.',
    details: {sessionId, limit},
  })
