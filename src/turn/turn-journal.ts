import type {KnownEvent, NewEvent} from '../conversation/event.js'
import type {Clock} from '../platform/clock.js'
import type {TurnRequest} from './run-turn.js'
import type {TurnEvent} from './turn-event.js'
import {createTurnLog, type TurnConversation} from './turn-log.js'

/** What a turn stores, and what it is told of it. */
export interface TurnJournal {
  /** All that concerns a model, what this turn added included. */
  readonly events: readonly KnownEvent[]
  /** Stores events; gives what there is to say of them. Under a schema an answer that reads as JSON is stored as data. */
  persist(events: readonly NewEvent[]): readonly TurnEvent[]
  /** The structured answer; undefined until there is one. */
  readonly data: {readonly value: unknown} | undefined
}

/** Creates the journal of one turn. With its first persist goes where the turn runs (S20). */
export const createTurnJournal = (
  {conversation, clock}: {readonly conversation: TurnConversation; readonly clock: Clock},
  {started, title, schema}: Pick<TurnRequest, 'started' | 'title' | 'schema'>,
): TurnJournal => {
  const log = createTurnLog(conversation, clock)
  let data: {value: unknown} | undefined
  let hasPersisted = false

  const structured = (event: NewEvent): NewEvent => {
    if (schema === undefined || event.type !== 'chat_response' || !('message' in event)) return event
    const {message, ...rest} = event
    const parsed = parseJson(message)
    if (parsed === undefined) return event
    data = parsed
    return {...rest, data: parsed.value}
  }
  const recordTurn = (): void => {
    hasPersisted = true
    conversation.recordRoot(started.root)
    if (started.is_new) return
    conversation.changeMetadata({lastActivatedAtMs: clock.nowMs(), ...(title === undefined ? {} : {title})})
  }
  return {
    events: log.events,
    persist(events) {
      if (events.length === 0) return []
      const entries = log.add(events.map(structured))
      if (!hasPersisted) recordTurn()
      return entries.map((event) => ({type: 'event', event}))
    },
    get data() {
      return data
    },
  }
}

const parseJson = (text: string): {value: unknown} | undefined => {
  try {
    return {value: JSON.parse(text)}
  } catch {
    return undefined
  }
}
