import {corruptFile, jsonReason} from './corruption.js'
import {isJsonObject} from './event-check.js'
import {isStoredTime, storedTimestamp} from './timestamp.js'

/** `metadata.json` as read (facts 2.3). Times are spelled as in the file. */
export type ConversationMetadata = {
  readonly title?: string
  readonly last_activated_at: string
  readonly pinned_at?: string
  readonly archived_at?: string
  readonly expires_at?: string
  readonly labels: Readonly<Record<string, string>>
}

/** What to change in `metadata.json`. Absent keys stay as they are, null removes one. Times in milliseconds. */
export type MetadataChange = {
  readonly title?: string | null
  readonly lastActivatedAtMs?: number
  readonly pinnedAtMs?: number | null
  readonly archivedAtMs?: number | null
  readonly expiresAtMs?: number | null
  /** All labels; an empty object removes the key. */
  readonly labels?: Readonly<Record<string, string>>
}

/**
 * Reads the text of a `metadata.json`.
 * @throws JpError `conversation_corrupt`.
 */
export const parseMetadata = (text: string, path: string): ConversationMetadata => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason =
      text.trim() === ''
        ? 'it is empty'
        : text.startsWith('\ufeff')
          ? 'it starts with a byte order mark'
          : jsonReason(error)
    throw corruptFile(path, reason, error)
  }
  if (!isJsonObject(value)) throw corruptFile(path, 'it is no JSON object')
  const time = (key: string): string | undefined => {
    const found = value[key]
    if (found === undefined || found === null) return undefined
    if (typeof found === 'string' && isStoredTime(found)) return found
    throw corruptFile(path, `"${key}" is no time`)
  }
  const activated = time('last_activated_at')
  if (activated === undefined) throw corruptFile(path, 'it has no "last_activated_at"')
  const title = value['title'] ?? undefined
  if (title !== undefined && typeof title !== 'string') throw corruptFile(path, '"title" is no text')
  const metadata: {-readonly [Key in keyof ConversationMetadata]: ConversationMetadata[Key]} = {
    ...(title === undefined ? {} : {title}),
    last_activated_at: activated,
    labels: parseLabels(value['labels'], path),
  }
  for (const key of optionalTimes) {
    const found = time(key)
    if (found !== undefined) metadata[key] = found
  }
  return metadata
}

const optionalTimes = ['pinned_at', 'archived_at', 'expires_at'] as const

const parseLabels = (value: unknown, path: string): Readonly<Record<string, string>> => {
  if (value === undefined || value === null) return {}
  if (!isJsonObject(value)) throw corruptFile(path, '"labels" is no object')
  const entries = Object.entries(value)
  if (entries.some(([, label]) => typeof label !== 'string')) throw corruptFile(path, 'a label is no text')
  return Object.fromEntries(entries) as Record<string, string>
}

/** The keys that jp writes, in their order in the file. */
export const metadataKeys = ['title', 'last_activated_at', 'pinned_at', 'archived_at', 'expires_at', 'labels'] as const

/** A key of the file with its new value; undefined removes it. */
export type KeyChange = readonly [key: (typeof metadataKeys)[number], value: unknown]

/** A change in the file's own words. */
export const keyChanges = (change: MetadataChange): readonly KeyChange[] => {
  const time = (ms: number | null): string | undefined => (ms === null ? undefined : storedTimestamp(ms))
  const changes: KeyChange[] = []
  if (change.title !== undefined) changes.push(['title', titleOf(change.title)])
  if (change.lastActivatedAtMs !== undefined) changes.push(['last_activated_at', time(change.lastActivatedAtMs)])
  if (change.pinnedAtMs !== undefined) changes.push(['pinned_at', time(change.pinnedAtMs)])
  if (change.archivedAtMs !== undefined) changes.push(['archived_at', time(change.archivedAtMs)])
  if (change.expiresAtMs !== undefined) changes.push(['expires_at', time(change.expiresAtMs)])
  if (change.labels !== undefined) changes.push(['labels', labelsOf(change.labels)])
  return changes
}

const titleOf = (title: string | null): string | undefined =>
  title === null || title.trim() === '' ? undefined : title.trim().toWellFormed()

const labelsOf = (labels: Readonly<Record<string, string>>): object | undefined => {
  const sorted = Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1))
  return sorted.length === 0 ? undefined : Object.fromEntries(sorted)
}
