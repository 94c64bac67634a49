import type {StoredEvent} from '../conversation/event.js'
import {eventsOf} from '../conversation/events-text.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'

/**
 * Takes the last compactions of a conversation back: their events go, every other one stays as it is spelled (W18).
 * @param last how many; undefined for all.
 * @returns how many went.
 */
export const resetCompactions = (
  held: Pick<LockedConversation, 'read' | 'replaceFiles'>,
  {last, isDry}: {readonly last: number | undefined; readonly isDry: boolean},
): number => {
  const {events} = held.read()
  const compactions = events.filter(isCompaction)
  const doomed = new Set(last === undefined ? compactions : compactions.slice(-last))
  if (isDry || doomed.size === 0) return doomed.size
  const kept = events.filter((event) => !doomed.has(event)).map(({text}) => `  ${text}`)
  held.replaceFiles({events: eventsOf(kept).toString('utf8')})
  return doomed.size
}

const isCompaction = ({type}: StoredEvent): boolean => type === 'compaction'
