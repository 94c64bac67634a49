import type {ConversationEntry} from '../conversation/entry.js'
import {isExpired} from '../conversation/expiry.js'
import type {LastRoot} from '../conversation/local-metadata.js'

/** Where a conversation last ran, in words: a checkout that is gone is named as gone (S24, S28). */
export const lastRootText = (lastRoot: LastRoot | undefined): string => {
  if (lastRoot === undefined) return ''
  return lastRoot.live ? lastRoot.path : `${lastRoot.path} (gone)`
}

/** A time for people: minutes are enough. */
export const minuteText = (rfc3339: string): string => `${rfc3339.slice(0, 10)} ${rfc3339.slice(11, 16)}`

/** What is special about a conversation, in a word each. @param nowMs tells what is over. */
export const notesOf = (entry: ConversationEntry, nowMs: number): string => {
  const {metadata, presence} = entry
  const notes: string[] = []
  if (metadata.pinned_at !== undefined) notes.push('pinned')
  if (presence === 'user-local') notes.push('local')
  if (metadata.expires_at !== undefined) notes.push(isExpired(entry, nowMs) ? 'expired' : 'temporary')
  for (const key in metadata.labels) {
    const value = metadata.labels[key]
    notes.push(value === '' ? key : `${key}=${value}`)
  }
  return notes.join(', ')
}

/** What can be done about conversations whose time is over; nothing does it by itself. Undefined when there is none. */
export const expiredNote = (entries: readonly ConversationEntry[], nowMs: number): string | undefined => {
  const count = entries.filter((entry) => isExpired(entry, nowMs)).length
  if (count === 0) return undefined
  const what = count === 1 ? 'One temporary conversation is' : `${count} temporary conversations are`
  return `${what} past the time to go. To see what would be removed, and be asked: jp conversation rm --expired`
}
