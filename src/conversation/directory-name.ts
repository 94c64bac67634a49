import {type ConversationId, decisecondsOf, parseConversationDigits} from '../platform/id-grammar.js'

/** How many characters of a title go into a folder's name. */
const maxSlugLength = 60

/**
 * The slug of a title (facts 2.1): its first 60 characters, everything that is no letter or digit as `-`, lower case.
 * Runs of `-` stay. Undefined when nothing is left.
 */
export const slugOfTitle = (title: string): string | undefined => {
  const trimmed = title.trim().toWellFormed()
  const head = Array.from(trimmed).slice(0, maxSlugLength).join('')
  const plain = head.replace(/[^\p{Alphabetic}\p{N}]/gu, '-').replace(/-+$/, '')
  const isCut = Buffer.byteLength(trimmed) > maxSlugLength
  const whole = isCut && plain.includes('-') ? plain.slice(0, plain.lastIndexOf('-')) : plain
  const slug = whole.replace(/-+$/, '').toLowerCase()
  return slug === '' ? undefined : slug
}

/** The name of a conversation's folder: `<deciseconds>` or `<deciseconds>-<slug>`. */
export const directoryNameOf = (id: ConversationId, title: string | undefined): string => {
  const slug = title === undefined ? undefined : slugOfTitle(title)
  return slug === undefined ? String(decisecondsOf(id)) : `${decisecondsOf(id)}-${slug}`
}

/** The conversation that a folder's name belongs to: by its digits alone, never by the title. */
export const idOfDirectoryName = (name: string): ConversationId | undefined => {
  const dash = name.indexOf('-')
  const digits = dash === -1 ? name : name.slice(0, dash)
  return parseConversationDigits(digits)
}
