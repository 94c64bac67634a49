import type {SessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import type {SessionEvent} from './session-event.js'
import type {SessionIndex} from './session-index.js'
import type {SessionShelf, StoredStep} from './session-shelf.js'

/** What the shelf of an agent stands on that stores its sessions itself. */
export type ForeignShelfDeps = {
  readonly index: SessionIndex
  readonly clock: Clock
  /** All that a live session has told since it began, its history included; undefined when that is not held. */
  readonly historyOf: (id: SessionId) => readonly SessionEvent[] | undefined
}

/**
 * The sessions of an agent that is not jp's (D19, D22). Which are archived and pinned stands in the daemon's own index.
 * What was said, the agent has: a session can be written down, or be copied by the agent, while it is live; nothing can be taken back.
 */
export const createForeignShelf = ({index, clock, historyOf}: ForeignShelfDeps): SessionShelf => {
  const history = (id: SessionId): readonly SessionEvent[] => {
    const events = historyOf(id)
    if (events !== undefined) return events.filter(({type}) => type === 'session_update')
    throw new JpError('not_supported', 'The agent stores this session, and the daemon does not hold all of it.', {
      hint: `POST /session/${id}/load brings it back with its history; ask again then.`,
      details: {sessionId: id},
    })
  }
  return {
    setArchived: async ({id}, archived) => index.setArchived(id, archived ? clock.nowMs() : undefined),
    remove: async ({id}) => index.forget(id),
    setPinned: async ({id}, pinned) => index.setPinned(id, pinned ? clock.nowMs() : undefined),
    steps: async ({id}) => joined(history(id).flatMap(stepOf)),
    raw: async ({id}) => history(id).map(({data}) => data['update']),
    branch: undefined,
    turns: () => Promise.reject(agentStores()),
    rewind: () => Promise.reject(agentStores()),
  }
}

const agentStores = (): JpError =>
  new JpError('not_supported', 'The agent stores its sessions itself; the daemon can not take turns back.')

const roles: Readonly<Record<string, StoredStep['role']>> = {
  user_message_chunk: 'user',
  agent_message_chunk: 'assistant',
  tool_call: 'tool',
}

const stepOf = ({data, _meta}: SessionEvent): readonly StoredStep[] => {
  const update = fieldsOf(data['update'])
  const role = roles[String(update['sessionUpdate'])]
  const text = role === 'tool' ? update['title'] : fieldsOf(update['content'])['text']
  return role === undefined || typeof text !== 'string' ? [] : [{role, atMs: _meta.serverTimestamp, text}]
}

/** Pieces of one message are one step. */
const joined = (pieces: readonly StoredStep[]): readonly StoredStep[] => {
  const steps: StoredStep[] = []
  for (const piece of pieces) {
    const last = steps.at(-1)
    if (last !== undefined && last.role === piece.role && piece.role !== 'tool') {
      steps[steps.length - 1] = {...last, text: last.text + piece.text}
    } else steps.push(piece)
  }
  return steps
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? {...value} : {}
