import {JpError} from '../errors/jp-error.js'
import type {StoredEvent} from './event.js'

/** Types that are about a conversation's configuration or length, not part of a turn (facts 2.5). */
const isGlobal = ({type, known}: StoredEvent): boolean =>
  known === undefined || type === 'config_delta' || type === 'compaction'

/**
 * The events with the turn that each belongs to, counted from 1. A stream whose first conversation event is no
 * `turn_start` has a leading turn of its own; what stands before any turn has none (0).
 */
export function* withTurns(events: Iterable<StoredEvent>): Generator<readonly [event: StoredEvent, turn: number]> {
  let turn = 0
  for (const event of events) {
    if (event.type === 'turn_start' || (turn === 0 && !isGlobal(event))) turn += 1
    yield [event, turn]
  }
}

/** Which turns of a conversation are asked for. */
export type TurnChoice = {
  readonly first: number | undefined
  readonly last: number | undefined
  /** Counted from 1. */
  readonly turn: number | undefined
  /** From this turn on, and up to this one; counted from 1. */
  readonly from: number | undefined
  readonly to: number | undefined
}

/**
 * The events of the chosen turns; every event when nothing is chosen. Reads the stream twice for `last`.
 * @throws JpError `usage` at the end, when there is no turn of that number.
 */
export function* chosenEvents(stream: {events(): Iterable<StoredEvent>}, choice: TurnChoice): Generator<StoredEvent> {
  const {first, last, turn: only, from = 0, to = Number.POSITIVE_INFINITY} = choice
  const before = last === undefined ? undefined : countTurns(stream.events()) - last
  const isWhole = from === 0 && to === Number.POSITIVE_INFINITY
  const isChosen = (turn: number): boolean =>
    (only === undefined || turn === only) &&
    (first === undefined || (turn > 0 && turn <= first)) &&
    (before === undefined || (turn > 0 && turn > before)) &&
    (isWhole || (turn > 0 && turn >= from && turn <= to))
  let count = 0
  for (const [event, turn] of withTurns(stream.events())) {
    count = turn
    if (isChosen(turn)) yield event
  }
  if (only !== undefined && only > count)
    throw new JpError('usage', `There is no turn ${only}: the conversation has ${count}.`)
}

/** How many turns a stream has. */
export const countTurns = (events: Iterable<StoredEvent>): number => {
  let count = 0
  for (const [, turn] of withTurns(events)) count = turn
  return count
}
