/** The events of a session that can still be given out, as SSE frames, and where they end (D16). */
export interface EventRing {
  /** The id of the oldest frame that is held; one beyond `lastId` when none is. */
  readonly firstId: number
  /** The id of the newest event; 0 before the first. */
  readonly lastId: number
  readonly capacity: number
  /** Adds an event; gives its id. The oldest are let go beyond the bounds. */
  append(frameOf: (id: number) => string): number
  /**
   * The frames from an id on, joined, up to another id (not included) and as many as fit.
   * @param maxUnits stop after this much; at least one frame is given. Unit: UTF-16 code units.
   */
  read(
    range: {readonly fromId: number; readonly toId: number},
    maxUnits: number,
  ): {readonly text: string; readonly nextId: number}
  /** Every held frame, oldest first. */
  frames(): readonly string[]
}

/** How much a ring holds. */
export type RingBounds = {
  readonly maxFrames: number
  /** Unit: UTF-16 code units. */
  readonly maxUnits: number
}

/** Creates an empty ring. The newest frame is held whatever its size. */
export const createEventRing = ({maxFrames, maxUnits}: RingBounds): EventRing => {
  let held: string[] = []
  let start = 0
  let firstId = 1
  let units = 0

  const letGo = (): void => {
    units -= held[start]?.length ?? 0
    held[start] = ''
    start += 1
    firstId += 1
    // Shifting one by one would make each append as long as the ring.
    if (start > maxFrames) {
      held = held.slice(start)
      start = 0
    }
  }

  return {
    get firstId() {
      return firstId
    },
    get lastId() {
      return firstId + held.length - start - 1
    },
    capacity: maxFrames,
    append(frameOf) {
      const id = firstId + held.length - start
      const frame = frameOf(id)
      held.push(frame)
      units += frame.length
      while (held.length - start > 1 && (held.length - start > maxFrames || units > maxUnits)) letGo()
      return id
    },
    read({fromId, toId}, maxTextUnits) {
      const parts: string[] = []
      let size = 0
      let at = start + fromId - firstId
      const stop = Math.min(held.length, start + toId - firstId)
      while (at < stop && (parts.length === 0 || size < maxTextUnits)) {
        const frame = held[at++] ?? ''
        parts.push(frame)
        size += frame.length
      }
      return {text: parts.join(''), nextId: fromId + parts.length}
    },
    frames: () => held.slice(start),
  }
}
