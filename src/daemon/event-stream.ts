import type {EventRing} from './event-ring.js'

/** Where frames go: one open response. */
export interface FrameSink {
  /** Gives whether more may be written now. */
  write(text: string): boolean
  /** Calls back when more may be written, after {@link write} gave false. */
  onceWritable(listener: () => void): void
  end(): void
}

/** One subscriber of a session. */
export interface EventStream {
  /** Gives out what there is, as far as the socket takes it. */
  pump(): void
  /**
   * A frame without an id, for this subscriber alone.
   * @param beforeId it comes before this event, and after those that are older; by default after all there are.
   */
  tell(frame: string, beforeId?: number): void
  /** A frame for an idle connection; one that has not taken what it was given needs none. */
  keepOpen(frame: string): void
  /** Nothing more will come: ends the response once everything is written. */
  finish(): void
  /** The reader has gone. */
  stop(): void
}

/** What a stream stands on. */
export type EventStreamDeps = {
  readonly ring: EventRing
  readonly sink: FrameSink
  /** The first event that the reader wants. */
  readonly fromId: number
  /** Warn a reader once it is this many events behind. */
  readonly warnBehind: number
  /** The frame that tells a reader how far behind it is. */
  warningFrame(behind: number, lastId: number): string
  /** The last frame of a reader that has fallen behind the ring. */
  evictedFrame(nextId: number): string
  /** The stream has ended by itself: finished, or evicted. */
  onEnd(): void
}

/** How much is handed to a socket at once. Unit: UTF-16 code units. */
const portionUnits = 256 * 1024

/**
 * Creates a stream that is fed from the ring as its socket drains: a burst evicts nobody who reads, and a reader costs
 * no memory beyond what its socket holds (D16). Only one that has fallen behind the ring is told so and dropped.
 */
export const createEventStream = (deps: EventStreamDeps): EventStream => {
  const {ring, sink} = deps
  let nextId = deps.fromId
  let asides: readonly {readonly frame: string; readonly beforeId: number}[] = []
  let blocked = false
  let finishing = false
  let ended = false
  let warned = false

  const end = (): void => {
    if (ended) return
    ended = true
    sink.end()
    deps.onEnd()
  }
  const write = (text: string): void => {
    if (sink.write(text)) return
    blocked = true
    sink.onceWritable(() => {
      blocked = false
      pump()
    })
  }
  const warn = (): void => {
    const behind = ring.lastId - nextId + 1
    if (behind < deps.warnBehind) warned = false
    else if (!warned) {
      warned = true
      write(deps.warningFrame(behind, ring.lastId))
    }
  }
  /** One write: the frames of this reader alone that are due, else events up to the next of them. */
  const step = (): void => {
    const [aside, ...later] = asides
    if (aside !== undefined && aside.beforeId <= nextId) {
      asides = later
      return write(aside.frame)
    }
    warn()
    const toId = Math.min(aside?.beforeId ?? Number.POSITIVE_INFINITY, ring.lastId + 1)
    const portion = ring.read({fromId: nextId, toId}, portionUnits)
    nextId = portion.nextId
    write(portion.text)
  }
  const pump = (): void => {
    while (!ended && !blocked && (nextId <= ring.lastId || asides.length > 0)) {
      if (nextId < ring.firstId) {
        sink.write(deps.evictedFrame(nextId))
        return end()
      }
      step()
    }
    if (finishing && !blocked && !ended) end()
  }
  return {
    pump,
    tell(frame, beforeId = ring.lastId + 1) {
      asides = [...asides, {frame, beforeId}]
      pump()
    },
    keepOpen: (frame) => void (ended || blocked || write(frame)),
    finish() {
      finishing = true
      pump()
    },
    stop() {
      ended = true
    },
  }
}
