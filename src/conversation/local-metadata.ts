import {join, sep} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {rfc3339} from '../platform/clock.js'
import {readTextIfPresent, writeAtomic} from '../platform/files.js'
import {isJsonObject, type JsonObject} from './event-check.js'
import {memberText, withMember, withMemberText} from './object-text.js'
import {parseSessionId, type SessionId} from './session-id.js'

/** Where a conversation last ran, as its record says (S19). */
export type LastRootRecord = {
  /** Canonical path of the checkout. */
  readonly path: string
  /** RFC 3339, UTC. Optional like every field (S21). */
  readonly last_used?: string
}

/** A record as it is reported (S26): whether the checkout is there is looked up at each read (S24). */
export type LastRoot = {readonly path: string; readonly last_used?: string; readonly live: boolean}

/** The name of the file; it stands in the conversation's user-local folder alone (S22). */
export const localMetadataName = 'metadata.local.json'

const maxBytes = 1024 * 1024

/** What a conversation's user-local folder says of it. */
export type LocalFacts = {
  readonly lastRoot: LastRootRecord | undefined
  /** The session id that a caller gave it (D31); without one it has its derived one. */
  readonly sessionId: SessionId | undefined
}

/** Nothing is recorded. */
export const noLocalFacts: LocalFacts = {lastRoot: undefined, sessionId: undefined}

/** Reads both records. What can't be read or understood is no record (S21). */
export const readLocalFacts = (directory: string): LocalFacts => {
  const content = parse(textOf(directory))
  return content === undefined ? noLocalFacts : {lastRoot: lastRootOf(content), sessionId: sessionIdOf(content)}
}

/** The record of where a conversation last ran (S19). */
export const readLastRoot = (directory: string): LastRootRecord | undefined => readLocalFacts(directory).lastRoot

const lastRootOf = (content: JsonObject): LastRootRecord | undefined => {
  const record = content['last_root']
  if (!isJsonObject(record) || typeof record['path'] !== 'string' || record['path'] === '') return undefined
  const lastUsed = record['last_used']
  return {path: record['path'], ...(typeof lastUsed === 'string' ? {last_used: lastUsed} : {})}
}

/**
 * Records that a turn runs in this checkout (S19). Keys that this version does not know stay, at every level (S21); a
 * file that does not parse is kept beside the new one.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const writeLastRoot = (directory: string, root: string, nowMs: number): void =>
  changeLocal(directory, (text, known) =>
    withLastRoot(text, known['last_root'], {path: root, last_used: rfc3339(nowMs)}),
  )

const sessionIdOf = (content: JsonObject): SessionId | undefined => {
  const id = content['session_id']
  return typeof id === 'string' ? parseSessionId(id) : undefined
}

/** Keeps the session id that a caller gave (D31). Throws as {@link writeLastRoot}. */
export const writeSessionId = (directory: string, session: SessionId): void =>
  changeLocal(directory, (text) => withMember(text, 'session_id', session))

const changeLocal = (directory: string, change: (text: string, known: JsonObject) => string): void => {
  const path = join(directory, localMetadataName)
  const text = textOf(directory)
  const known = parse(text)
  if (text !== undefined && text.trim() !== '' && known === undefined) writeAtomic(`${path}.corrupt`, text, 'user')
  writeAtomic(path, change(known === undefined || text === undefined ? '{}\n' : text, known ?? {}), 'user')
}

const withLastRoot = (text: string, stored: unknown, record: Required<LastRootRecord>): string => {
  const own = isJsonObject(stored) ? memberText(text, 'last_root') : undefined
  if (own === undefined) return withMember(text, 'last_root', record)
  const next = withMember(withMember(own, 'path', record.path), 'last_used', record.last_used)
  return withMemberText(text, 'last_root', next)
}

const textOf = (directory: string): string | undefined => {
  const path = `${directory}${sep}${localMetadataName}`
  try {
    return readTextIfPresent(path, {maxBytes, noFollow: true})
  } catch (error) {
    if (error instanceof JpError) return undefined
    throw error
  }
}

const parse = (text: string | undefined): JsonObject | undefined => {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
