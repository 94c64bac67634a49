import type {Fields, Jp, LastRoot} from '../../sdk/src/client.js'
import type {Place} from './places.js'
import type {Turns} from './turns.js'
import type {Shown} from './view/pages.js'
import {turnState} from './view/transcript.js'

/** A conversation as a place sees it now, less its draft. */
export type Read = Omit<Shown, 'draft' | 'all'>

/**
 * Reads a conversation. @throws RequestError when jp refuses.
 */
export const readConversation = async (jp: Jp, turns: Turns, at: {place: Place; id: string}): Promise<Read> => {
  const {place, id} = at
  const answer = await jp.request('read_events', {workspace: place.ref, conversation: id})
  const events = (answer['data'] ?? []) as readonly Fields[]
  const isOurs = turns.isRunning(place.workspace.id, id)
  return {
    id,
    title: typeof answer['title'] === 'string' ? answer['title'] : undefined,
    events,
    state: isOurs ? 'running' : turnState(events, answer['lock']),
    lastRoot: answer['last_root'] as LastRoot | undefined,
    failure: turns.failureOf(place.workspace.id, id),
  }
}

/** Its draft. @throws RequestError when jp refuses. */
export const readDraft = async (jp: Jp, {place, id}: {place: Place; id: string}): Promise<Shown['draft']> => {
  const {content, revision} = await jp.request('read_draft', {workspace: place.ref, conversation: id})
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  return {content: text(content) ?? '', revision: text(revision)}
}
