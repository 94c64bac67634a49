import type {KnownEvent, NewEvent, StoredEvent} from '../conversation/event.js'
import {storedTimestamp} from '../conversation/timestamp.js'
import type {Clock} from '../platform/clock.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {TurnEntry} from './turn-event.js'

/** The conversation that a turn writes to, held under its lock by whoever runs the turn (W19). */
export interface TurnConversation {
  readonly id: ConversationId
  read(): {readonly events: readonly StoredEvent[]; readonly title: string | undefined}
  /** Durable when it returns (W18). */
  append(events: readonly NewEvent[]): void
  /** Records the checkout that the turn runs in (S20). */
  recordRoot(root: string): void
  changeMetadata(change: {readonly title?: string; readonly lastActivatedAtMs?: number}): void
}

/** The stream of one conversation during a turn: what is stored, and what has been added. */
export interface TurnLog {
  /** All that concerns a model, stored and acknowledged. */
  readonly events: readonly KnownEvent[]
  /** Stores events, and gives them as a subscriber sees them. */
  add(events: readonly NewEvent[]): readonly TurnEntry[]
}

/** Creates the log. The stored stream is read once; nobody else can write it while the lock is held. */
export const createTurnLog = (conversation: TurnConversation, clock: Clock): TurnLog => {
  const events: KnownEvent[] = conversation
    .read()
    .events.map((event) => event.known)
    .filter((event) => event !== undefined)
  return {
    events,
    add(added) {
      const stamped = added.map((event) => ({...event, timestamp: storedTimestamp(clock.nowMs())}))
      conversation.append(stamped)
      events.push(...stamped)
      return stamped
    },
  }
}
