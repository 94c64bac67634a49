import {join} from 'node:path'
import {hasCode, JpError} from '../errors/jp-error.js'
import {type Clock, rfc3339} from '../platform/clock.js'
import {listNames, makeDirectory, readTextIfPresent, writeAtomic} from '../platform/files.js'
import {type ConversationId, conversationIdOf, decisecondsOf, type SessionKey} from '../platform/id-grammar.js'
import {withLock} from '../platform/lock.js'

/** The session whose history it is, as its file names it. */
export type HistorySession = {
  readonly key: SessionKey
  readonly id: string
  readonly source: {readonly type: string; readonly key?: string}
}

/** One conversation that a session worked in. */
export type HistoryEntry = {readonly id: ConversationId; readonly activatedAt: string}

/** What a conversation of the history has become. */
export type Standing = 'live' | 'archived' | 'gone'

/** How many entries a history keeps. */
const maxEntries = 200
const maxFileBytes = 1024 * 1024

const sessionsOf = (silo: string): string => join(silo, 'sessions')

/**
 * The conversations of a session, the latest first (facts 3.3). A file of another session under the same name (a reused
 * process id) is none; one that can't be read counts as empty and stays.
 */
export const readHistory = (silo: string, session: HistorySession): readonly HistoryEntry[] => {
  const stored = readFile(join(sessionsOf(silo), `${session.key}.json`))
  if (stored === undefined || !isOf(stored, session)) return []
  return entriesOf(stored)
}

/** Older files carry neither `id` nor `source`; they are accepted. */
const isOf = (stored: StoredHistory, session: HistorySession): boolean => {
  const source = stored['source']
  if (stored['id'] === undefined && source === undefined) return true
  const type = isRecord(source) ? source['type'] : undefined
  const key = isRecord(source) ? source['key'] : undefined
  return stored['id'] === session.id && type === session.source.type && key === session.source.key
}

/** What the active and the previous conversation of a session are picked from. */
export type StandingOf = (id: ConversationId) => Standing

/**
 * The active conversation: the latest that is live. Those that are gone are passed over; an archived one ends the search
 * (facts 3.3).
 */
export const activeOf = (history: readonly HistoryEntry[], standing: StandingOf): ConversationId | undefined => {
  const found = history.find(({id}) => standing(id) !== 'gone')
  return found === undefined || standing(found.id) === 'archived' ? undefined : found.id
}

/** The one before: the second that is not gone, when it is live. */
export const previousOf = (history: readonly HistoryEntry[], standing: StandingOf): ConversationId | undefined => {
  const [, second] = history.filter(({id}) => standing(id) !== 'gone')
  return second === undefined || standing(second.id) !== 'live' ? undefined : second.id
}

/** What recording stands on. */
export type HistoryDeps = {readonly silo: string; readonly clock: Clock; readonly pid: number}

/**
 * Records that a session works in a conversation: its entry comes to the front.
 * @throws JpError `state_busy`, `disk_full`, `file_unwritable`; `file_corrupt` for a file that jp can't read: it is kept.
 */
export const recordActivation = async (
  deps: HistoryDeps,
  session: HistorySession,
  id: ConversationId,
): Promise<void> => {
  const path = join(sessionsOf(deps.silo), `${session.key}.json`)
  const lock = join(deps.silo, 'locks', `session-${session.key}.lock`)
  const now = rfc3339(deps.clock.nowMs())
  makeDirectory(sessionsOf(deps.silo), 'user')
  await withLock(lock, {pid: deps.pid, session: session.key, acquired_at: now}, () => {
    const stored = storedOrRefused(path)
    const known = stored !== undefined && isOf(stored, session) ? stored : {}
    const others = entriesOf(known).filter((entry) => entry.id !== id)
    const history = [{id, activatedAt: now}, ...others].slice(0, maxEntries).map(storedEntry)
    const next = {...known, history, id: session.id, source: session.source}
    writeAtomic(path, `${JSON.stringify(next, undefined, 2)}\n`, 'user')
  })
}

const storedEntry = ({id, activatedAt}: HistoryEntry) => ({id: decisecondsOf(id), activated_at: activatedAt})

/** A damaged file is not replaced by a fresh one (FR-15). */
const storedOrRefused = (path: string): StoredHistory | undefined => {
  const text = readTextIfPresent(path, {maxBytes: maxFileBytes})
  if (text === undefined) return undefined
  const stored = readFile(path)
  if (stored !== undefined) return stored
  throw new JpError('file_corrupt', `${path} is no session record: it does not parse.`, {
    hint: 'Look at the file, then move it away; jp writes a new one.',
  })
}

/** Every conversation that is the active one of some session: those never expire (facts 2.9). */
export const activeInAnySession = (silo: string, standing: StandingOf): ReadonlySet<ConversationId> => {
  const active = historyFiles(silo).map((path) => activeOf(entriesOf(readFile(path) ?? {}), standing))
  return new Set(active.filter((id) => id !== undefined))
}

/** The histories of this store that were read and say nothing. Writes nothing. */
export const damagedHistories = (silo: string): readonly string[] =>
  historyFiles(silo).filter((path) => {
    try {
      return readTextIfPresent(path, {maxBytes: maxFileBytes}) !== undefined && readFile(path) === undefined
    } catch (error) {
      return hasCode(error, 'file_corrupt', 'file_refused')
    }
  })

const historyFiles = (silo: string): readonly string[] =>
  listNames(sessionsOf(silo))
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => join(sessionsOf(silo), name))

type StoredHistory = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readFile = (path: string): StoredHistory | undefined => {
  try {
    const value: unknown = JSON.parse(readTextIfPresent(path, {maxBytes: maxFileBytes}) ?? '')
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const entriesOf = (stored: StoredHistory): readonly HistoryEntry[] => {
  const history = stored['history']
  if (!Array.isArray(history)) return []
  return history.flatMap((entry: unknown) => {
    if (!isRecord(entry) || !Number.isSafeInteger(entry['id']) || Number(entry['id']) < 0) return []
    const at = entry['activated_at']
    return [{id: conversationIdOf(Number(entry['id'])), activatedAt: typeof at === 'string' ? at : ''}]
  })
}
