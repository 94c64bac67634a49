import {rfc3339} from '../platform/clock.js'
import {parseWorkspaceId, type WorkspaceId} from '../platform/id-grammar.js'
import type {SessionIdentity, SessionSource} from './identity.js'

/** A checkout as a session remembers it. */
export type SelectedCheckout = {readonly id: WorkspaceId; readonly root: string}

/** One entry of a session's history; `extra` holds the keys that this version does not know. */
export type HistoryEntry = SelectedCheckout & {
  /** RFC 3339. */
  readonly selectedAt: string
  readonly extra: Readonly<Record<string, unknown>>
}

/** The user-global record of one session (W6). */
export type Selection = {
  /** Most recent first; distinct by workspace and root. The first is active, the second the previous one. */
  readonly history: readonly HistoryEntry[]
  /** The session keeps its active workspace even when the cwd is in another. */
  readonly sticky: boolean
  readonly extra: Readonly<Record<string, unknown>>
}

/** The selection of a session that has chosen nothing. */
export const noSelection: Selection = {history: [], sticky: false, extra: {}}

/** How many selections a session remembers. */
const maxHistory = 50

/**
 * Makes a checkout the active one. `sticky` is left alone where it is not said.
 * @param atMs when. Unit: milliseconds since the Unix epoch.
 */
export const select = (
  selection: Selection,
  checkout: SelectedCheckout,
  {atMs, sticky}: {readonly atMs: number; readonly sticky?: boolean},
): Selection => {
  const known = selection.history.find((entry) => isSame(entry, checkout))
  const entry = {id: checkout.id, root: checkout.root, selectedAt: rfc3339(atMs), extra: known?.extra ?? {}}
  const others = selection.history.filter((other) => !isSame(other, checkout))
  return {...selection, history: [entry, ...others].slice(0, maxHistory), sticky: sticky ?? selection.sticky}
}

/** Puts a live checkout in the place of one that is gone; nothing else changes. */
export const repair = (
  selection: Selection,
  {gone, by}: {readonly gone: SelectedCheckout; readonly by: SelectedCheckout},
): Selection => {
  const history = selection.history
    .filter((entry) => !isSame(entry, by))
    .map((entry) => (isSame(entry, gone) ? {...entry, root: by.root} : entry))
  return {...selection, history}
}

const isSame = (left: SelectedCheckout, right: SelectedCheckout): boolean =>
  left.id === right.id && left.root === right.root

/** What a record's file says about whose it is. */
export type SelectionFile = {
  readonly selection: Selection
  readonly id: string | undefined
  readonly source: SessionSource['type'] | undefined
  readonly leaderStarted: string | undefined
}

/** Reads a record: undefined when the text is none. Entries that name no workspace are passed over. */
export const parseSelection = (text: string): SelectionFile | undefined => {
  const record = asRecord(parseJson(text))
  if (record === undefined) return undefined
  const {history, sticky, id, source, leader_started: leaderStarted, ...extra} = record
  return {
    selection: {
      history: (Array.isArray(history) ? history : []).map(parseEntry).filter((entry) => entry !== undefined),
      sticky: sticky === true,
      extra,
    },
    id: typeof id === 'string' ? id : undefined,
    source: sourceType(asRecord(source)?.['type']),
    leaderStarted: typeof leaderStarted === 'string' ? leaderStarted : undefined,
  }
}

const parseEntry = (value: unknown): HistoryEntry | undefined => {
  const {workspace_id: id, root, selected_at: selectedAt, ...extra} = asRecord(value) ?? {}
  const parsed = typeof id === 'string' ? parseWorkspaceId(id) : undefined
  if (parsed === undefined || typeof root !== 'string') return undefined
  return {id: parsed, root, selectedAt: typeof selectedAt === 'string' ? selectedAt : rfc3339(0), extra}
}

const sourceType = (value: unknown): SessionSource['type'] | undefined =>
  value === 'getsid' || value === 'hwnd' || value === 'env' ? value : undefined

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const asRecord = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? {...value} : undefined

/** True when the file is this session's, and not that of a process whose id was used again. */
export const belongsTo = (file: SelectionFile, session: SessionIdentity): boolean =>
  file.id === session.id &&
  file.source === session.source.type &&
  (file.leaderStarted === undefined ||
    session.leaderStarted === undefined ||
    file.leaderStarted === session.leaderStarted)

/** The text of a record's file. `leader_started` is ours: other versions keep or ignore it. */
export const selectionText = (selection: Selection, session: SessionIdentity): string => {
  const history = selection.history.map(({id, root, selectedAt, extra}) => ({
    workspace_id: id,
    root,
    selected_at: selectedAt,
    ...extra,
  }))
  const started = session.leaderStarted === undefined ? {} : {leader_started: session.leaderStarted}
  const record = {history, sticky: selection.sticky, id: session.id, source: session.source, ...started}
  return `${JSON.stringify({...record, ...selection.extra}, undefined, 2)}\n`
}
