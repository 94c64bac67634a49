import {join} from 'node:path'
import {hasCode} from '../errors/jp-error.js'
import {listNames, makeDirectory, readTextIfPresent, removeFile, writeAtomic} from '../platform/files.js'
import {parseSessionKey, type SessionKey, type WorkspaceId} from '../platform/id-grammar.js'
import {type LockHolder, withLock} from '../platform/lock.js'
import {isProcessAlive} from '../platform/processes.js'
import {startTicks} from '../platform/session-leader.js'
import {setAside} from '../platform/set-aside.js'
import {sweepTemporaries} from '../platform/temporaries.js'
import type {SessionIdentity} from './identity.js'
import {belongsTo, noSelection, parseSelection, type Selection, type SelectionFile, selectionText} from './selection.js'

const maxBytes = 1024 * 1024

/** The folder of the records, with their locks. */
export const sessionsOf = (dataDirectory: string): string => join(dataDirectory, 'sessions')

const fileOf = (dataDirectory: string, key: SessionKey): string => join(sessionsOf(dataDirectory), `${key}.json`)

/** What a session has selected; `damaged` is the path of a record that can't be read. Reads only. */
export const readSelection = (
  dataDirectory: string,
  session: SessionIdentity,
): {readonly selection: Selection; readonly damaged: string | undefined} => {
  const path = fileOf(dataDirectory, session.key)
  const file = readFile(path)
  if (file === 'damaged') return {selection: noSelection, damaged: path}
  return {selection: file !== undefined && belongsTo(file, session) ? file.selection : noSelection, damaged: undefined}
}

const readFile = (path: string): SelectionFile | 'damaged' | undefined => {
  try {
    const text = readTextIfPresent(path, {maxBytes})
    return text === undefined ? undefined : (parseSelection(text) ?? 'damaged')
  } catch (error) {
    if (hasCode(error, 'file_corrupt', 'file_refused')) return 'damaged'
    throw error
  }
}

/**
 * Changes a session's record, alone: writers of several processes take turns (FR-14), and the change is made to what is
 * there then. A damaged file is set aside first (FR-15).
 * @throws JpError `disk_full`, `file_unwritable`, `state_busy`.
 */
export const updateSelection = async (
  dataDirectory: string,
  writer: {readonly session: SessionIdentity; readonly holder: LockHolder},
  change: (selection: Selection) => Selection,
): Promise<void> => {
  const {session, holder} = writer
  const path = fileOf(dataDirectory, session.key)
  makeDirectory(sessionsOf(dataDirectory), 'user')
  await withLock(lockOf(path), holder, () => {
    sweepTemporaries(sessionsOf(dataDirectory))
    const {selection, damaged} = readSelection(dataDirectory, session)
    if (damaged !== undefined) setAside(damaged)
    writeAtomic(path, selectionText(change(selection), session), 'user')
  })
}

const lockOf = (path: string): string => path.replace(/\.json$/, '.lock')

/**
 * Removes what sessions that have ended left, at the end of a run (facts 3.5): records of processes that are gone, and
 * in records of variables the workspaces that no longer have a live checkout. What can't be read stays.
 * @throws JpError `file_unwritable`, `state_busy`.
 */
export const cleanSelections = async (
  dataDirectory: string,
  holder: LockHolder,
  hasLiveRoot: (id: WorkspaceId) => boolean,
): Promise<void> => {
  for (const path of recordsOf(dataDirectory)) await cleanOne(path, holder, hasLiveRoot)
}

/** The records that {@link cleanSelections} would shorten or remove. Writes nothing. */
export const staleSelections = (dataDirectory: string, hasLiveRoot: (id: WorkspaceId) => boolean): readonly string[] =>
  recordsOf(dataDirectory).filter((path) => isStale(readFile(path), hasLiveRoot))

/** The records that were read and say nothing. Writes nothing. */
export const damagedSelections = (dataDirectory: string): readonly string[] =>
  recordsOf(dataDirectory).filter((path) => readFile(path) === 'damaged')

const recordsOf = (dataDirectory: string): readonly string[] =>
  listNames(sessionsOf(dataDirectory)).flatMap((name) => {
    const key = name.endsWith('.json') ? parseSessionKey(name.slice(0, -'.json'.length)) : undefined
    return key === undefined ? [] : [fileOf(dataDirectory, key)]
  })

const cleanOne = async (path: string, holder: LockHolder, hasLiveRoot: (id: WorkspaceId) => boolean): Promise<void> => {
  if (!isStale(readFile(path), hasLiveRoot)) return
  await withLock(lockOf(path), holder, () => {
    // Read again: the session may have selected something while we waited.
    const file = readFile(path)
    if (file === undefined || file === 'damaged' || !isStale(file, hasLiveRoot)) return
    const history = file.source === 'env' ? file.selection.history.filter(({id}) => hasLiveRoot(id)) : []
    if (history.length > 0) writeAtomic(path, pruned(path, history), 'user')
    else removeFile(path)
  })
}

const isStale = (file: SelectionFile | 'damaged' | undefined, hasLiveRoot: (id: WorkspaceId) => boolean): boolean => {
  if (file === undefined || file === 'damaged') return false
  if (file.source === 'env') return file.selection.history.some(({id}) => !hasLiveRoot(id))
  return file.source === 'getsid' && !isLeaderAlive(file)
}

const isLeaderAlive = ({id, leaderStarted}: SelectionFile): boolean => {
  const pid = Number(id)
  if (!Number.isInteger(pid) || pid <= 0 || !isProcessAlive(pid)) return false
  const started = startTicks(pid)
  return leaderStarted === undefined || started === undefined || started === leaderStarted
}

/** The file as it is, with another history: the record of another session is not ours to spell anew. */
const pruned = (path: string, history: Selection['history']): string => {
  const kept = new Set(history.map(({id}) => id))
  const record = JSON.parse(readTextIfPresent(path, {maxBytes}) ?? '{}') as {history?: {workspace_id?: unknown}[]}
  const entries = (record.history ?? []).filter((entry) => kept.has(entry.workspace_id as WorkspaceId))
  return `${JSON.stringify({...record, history: entries}, undefined, 2)}\n`
}
