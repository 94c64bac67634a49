import type {StoredEvent} from '../conversation/event.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import type {ConversationStore} from '../conversation/store.js'
import {momentOfStored} from '../conversation/timestamp.js'
import {withTurns} from '../conversation/turns.js'
import type {Clock} from '../platform/clock.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {inSlices} from '../platform/steps.js'
import type {Checkout} from '../workspace/checkout.js'
import {sessionNotFound} from './registry.js'
import type {SessionShelf, StoredStep, StoredTurn} from './session-shelf.js'
import type {StoredSession} from './stored-sessions.js'

/** What the shelf of jp's own agent stands on. */
export type OwnShelfDeps = {
  readonly checkout: Checkout
  readonly openStore: () => ConversationStore
  readonly clock: Clock
}

/** What the model is told in place of turns that were taken back. */
const takenBack = 'The user took back what was said and done here. Go on as if it had not happened.'

/** The conversations of a checkout, as a shelf of sessions. What it changes, it changes under the conversation's lock. */
export const createOwnShelf = ({checkout, openStore, clock}: OwnShelfDeps): SessionShelf => {
  const conversationOf = async (store: ConversationStore, {id}: StoredSession): Promise<ConversationId> => {
    const found = await inSlices(store.findSession(checkout.id, id))
    if (found === undefined) throw sessionNotFound(id)
    return found
  }
  const locked = async (session: StoredSession, change: (held: LockedConversation) => void): Promise<void> => {
    const store = openStore()
    const held = store.lock(await conversationOf(store, session), {archived: true})
    try {
      change(held)
    } finally {
      held.release()
    }
  }
  const eventsOf = async (session: StoredSession): Promise<readonly StoredEvent[]> => {
    const store = openStore()
    return store.read(await conversationOf(store, session)).events
  }
  return {
    setArchived: (session, archived) => locked(session, (held) => held.setArchived(archived)),
    async remove(session) {
      const store = openStore()
      store.remove(await conversationOf(store, session), undefined)
    },
    setPinned: (session, pinned) =>
      locked(session, (held) => held.changeMetadata({pinnedAtMs: pinned ? clock.nowMs() : null})),
    steps: async (session) => (await eventsOf(session)).flatMap(stepOf),
    raw: async (session) => (await eventsOf(session)).map(({value}) => value),
    async branch(session, {title, before}) {
      const store = openStore()
      const choice = before === undefined ? {} : before === 0 ? {noTurns: true} : {first: before}
      const held = store.fork(await conversationOf(store, session), choice, {title})
      held.release()
      return store.sessionOf(checkout.id, held.id)
    },
    turns: async (session) => turnsOf(await eventsOf(session)),
    rewind: (session, turn) =>
      locked(session, (held) => {
        const last = turnsOf(held.read().events).at(-1)?.turnIndex ?? turn.turnIndex
        const compaction = {from_turn: turn.turnIndex, to_turn: last, summary: {summary: takenBack}}
        held.append([{type: 'compaction', ...compaction}])
      }),
  }
}

/** Each turn by what the user said first in it. */
const turnsOf = (events: readonly StoredEvent[]): readonly StoredTurn[] => {
  const turns: StoredTurn[] = []
  for (const [{known, timestamp}, turn] of withTurns(events)) {
    if (turn === 0 || turns.length >= turn) continue
    if (known?.type !== 'chat_request') continue
    const turnIndex = turn - 1
    const startedAtMs = momentOfStored(timestamp) ?? 0
    turns.push({promptId: `turn-${turnIndex}`, turnIndex, startedAtMs, text: known.content})
  }
  return turns
}

const stepOf = ({known, timestamp}: StoredEvent): readonly StoredStep[] => {
  const atMs = momentOfStored(timestamp) ?? 0
  switch (known?.type) {
    case 'chat_request':
      return [{role: 'user', atMs, text: known.content}]
    case 'chat_response':
      if ('message' in known) return [{role: 'assistant', atMs, text: known.message}]
      return 'data' in known ? [{role: 'assistant', atMs, text: JSON.stringify(known.data, undefined, 2)}] : []
    case 'tool_call_request':
      return [{role: 'tool', atMs, text: `${known.name} ${JSON.stringify(known.arguments)}`}]
    default:
      return []
  }
}
