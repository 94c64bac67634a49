import type {ConversationEntry} from '../conversation/entry.js'
import type {LastRoot} from '../conversation/local-metadata.js'

/** Where a conversation last ran, in words: a checkout that is gone is named as gone (S24, S28). */
export const lastRootText = (lastRoot: LastRoot | undefined): string => {
  if (lastRoot === undefined) return ''
  return lastRoot.live ? lastRoot.path : `${lastRoot.path} (gone)`
}

/** A time for people: minutes are enough. */
export const minuteText = (rfc3339: string): string => rfc3339.slice(0, 16).replace('T', ' ')

/** What is special about a conversation, in a word each. */
export const notesOf = (entry: ConversationEntry): string => {
  const {metadata, presence} = entry
  const labels = Object.entries(metadata.labels).map(([key, value]) => (value === '' ? key : `${key}=${value}`))
  return [
    ...(metadata.pinned_at === undefined ? [] : ['pinned']),
    ...(presence === 'user-local' ? ['local'] : []),
    ...(metadata.expires_at === undefined ? [] : ['temporary']),
    ...labels,
  ].join(', ')
}
