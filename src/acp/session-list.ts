import type {ListSessionsResponse, SessionInfo} from '@agentclientprotocol/sdk'
import type {ConversationEntry} from '../conversation/entry.js'
import {sessionOfEntry} from '../conversation/sessions.js'
import {JpError} from '../errors/jp-error.js'
import {inSlices} from '../platform/steps.js'
import {readKnownWorkspaces} from '../workspace/known-workspaces.js'
import {findSilo, slugOf} from '../workspace/silo.js'
import type {AcpDeps} from './acp-deps.js'
import {ranIn} from './last-root-check.js'
import {type OpenPlaces, placeOf, type SessionPlace} from './open-places.js'

/** How many sessions a page has. */
const pageSize = 50

/** A stored session with the checkout that it belongs to. */
type Stored = {readonly entry: ConversationEntry; readonly at: SessionPlace}

/**
 * One page of the stored sessions, newest activity first: of the checkout above `cwd`, or of every known checkout. A
 * session belongs to the checkout in which it last ran (D31). Opens nothing for writing.
 * @throws JpError `invalid_cursor`, and as the bootstrap for a `cwd` without a workspace.
 */
export const listSessions = async (
  deps: AcpDeps,
  places: OpenPlaces,
  {cwd, cursor}: {readonly cwd: string | undefined; readonly cursor: string | undefined},
): Promise<ListSessionsResponse> => {
  const one = cwd === undefined ? places.pinned : await places.open(cwd)
  const stored = await (one === undefined ? everywhere(deps) : ownSessions(one))
  const sorted = stored.sort((left, right) => (keyOf(left) < keyOf(right) ? 1 : -1))
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rest = after === undefined ? sorted : sorted.filter((session) => keyOf(session) < after)
  const page = rest.slice(0, pageSize)
  const last = page.at(-1)
  return {
    sessions: page.map(infoOf),
    ...(last === undefined || rest.length <= pageSize ? {} : {nextCursor: encodeCursor(keyOf(last))}),
  }
}

/** What a checkout's view holds and no other checkout has run last. */
const ownSessions = async (at: SessionPlace): Promise<Stored[]> =>
  // Other sessions of this agent go on meanwhile.
  (await inSlices(at.store.listInSteps())).entries
    .filter(({listed: {last_root: last}}) => last === undefined || ranIn(last, at.place.checkout.root))
    .map((entry) => ({entry, at}))

/** Each conversation once: where it last ran, else in the checkout of its workspace that was used last. */
const everywhere = async (deps: AcpDeps): Promise<Stored[]> => {
  const {directories} = deps.launch
  const all: Stored[] = []
  for (const {id, live} of readKnownWorkspaces(directories.data)) {
    const found = new Map<string, Stored>()
    for (const {path: root} of live) {
      const checkout = {id, root}
      const silo = findSilo(directories.data, id, slugOf(root))
      const at = placeOf(deps, {checkout, silo, configCwd: root, launchCwd: root})
      for (const stored of await ownSessions(at)) if (!found.has(stored.entry.id)) found.set(stored.entry.id, stored)
    }
    all.push(...found.values())
  }
  return all
}

const infoOf = ({entry, at}: Stored): SessionInfo => {
  const {listed} = entry
  return {
    sessionId: sessionOfEntry(at.place.checkout.id, entry),
    cwd: at.place.checkout.root,
    title: listed.title,
    updatedAt: listed.last_activated_at,
    _meta: {jp: {conversation: entry.id, last_root: listed.last_root ?? null, events_count: listed.events_count}},
  }
}

const keyOf = ({entry, at}: Stored): string => `${entry.listed.last_activated_at} ${entry.id} ${at.place.checkout.root}`

const encodeCursor = (key: string): string => Buffer.from(key).toString('base64url')

const decodeCursor = (cursor: string): string => {
  const key = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{4}-\d\d-\d\dT\S+ jp-c\d+ \S/.test(key)) return key
  throw new JpError('invalid_cursor', 'That cursor is none that session/list gave.', {hint: 'Begin without one.'})
}
