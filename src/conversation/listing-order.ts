import type {ConversationEntry} from './entry.js'
import {matchesLabel} from './labels.js'
import {momentOfStored} from './timestamp.js'

/** What a listing can be sorted by. */
export const sortKeys = ['id', 'created', 'activity', 'expires', 'messages', 'local'] as const
export type SortKey = (typeof sortKeys)[number]

/** Which conversations a listing shows, and how. */
export type ListingChoice = {
  readonly sort: SortKey
  readonly descending: boolean
  readonly limit: number | undefined
  /** User-local only ones alone. */
  readonly local: boolean
  /** `key` or `key=value`; all must match. */
  readonly labels: readonly string[]
}

/** Picks and sorts the entries of a listing: pinned ones first, then by the key, equal ones by id. */
export const arrange = (entries: readonly ConversationEntry[], choice: ListingChoice): readonly ConversationEntry[] => {
  const chosen = entries.filter(
    (entry) =>
      (!choice.local || entry.presence === 'user-local') &&
      choice.labels.every((label) => matchesLabel(entry.metadata.labels, label)),
  )
  const rank = ranks[choice.sort]
  const sign = choice.descending ? -1 : 1
  // The entries come sorted by id, and the sort keeps the order of equals.
  const sorted = [...chosen].sort(
    (left, right) =>
      Number(isPinned(right)) - Number(isPinned(left)) || sign * (rank === undefined ? 0 : rank(left) - rank(right)),
  )
  const ordered = rank === undefined && choice.descending ? reversedWithinPins(sorted) : sorted
  return choice.limit === undefined ? ordered : ordered.slice(0, choice.limit)
}

const reversedWithinPins = (entries: readonly ConversationEntry[]): readonly ConversationEntry[] => [
  ...entries.filter(isPinned).reverse(),
  ...entries.filter((entry) => !isPinned(entry)).reverse(),
]

const isPinned = (entry: ConversationEntry): boolean => entry.metadata.pinned_at !== undefined

const moment = (stored: string | undefined): number =>
  stored === undefined ? Number.MAX_SAFE_INTEGER : (momentOfStored(stored) ?? 0)

const ranks: Readonly<Record<SortKey, ((entry: ConversationEntry) => number) | undefined>> = {
  id: undefined,
  created: undefined,
  activity: ({metadata}) => moment(metadata.last_activated_at),
  expires: ({metadata}) => moment(metadata.expires_at),
  messages: ({listed}) => listed.events_count,
  local: ({presence}) => (presence === 'user-local' ? 1 : 0),
}
