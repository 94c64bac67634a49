import type {ConversationEntry} from '../conversation/entry.js'
import {createdWithin, parseMoment} from '../conversation/moment.js'
import {momentOfStored} from '../conversation/timestamp.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {ConversationDesk} from './conversation-desk.js'

/** Which conversations are archived, as typed: without a word the active one of the session. */
export type ArchiveChoice = {
  readonly targets: readonly string[]
  /** Those created since then, and until then. */
  readonly from?: string | undefined
  readonly until?: string | undefined
  /** Those that were not used since then; pinned ones stay. */
  readonly 'inactive-since'?: string | undefined
}

/** Moves conversations into the archive; gives those that were not there. @throws JpError those of targets and of locking. */
export const archiveConversations = async (
  desk: ConversationDesk,
  choice: ArchiveChoice,
): Promise<readonly ConversationId[]> => {
  const nowMs = desk.invocation.clock.nowMs()
  const span = createdWithin(choice, nowMs)
  const since = choice['inactive-since'] === undefined ? undefined : parseMoment(choice['inactive-since'], nowMs)
  const isOfAll = choice.targets.length === 0 && (span !== undefined || since !== undefined)
  const chosen = isOfAll ? desk.store.list().entries : await desk.resolveTargets(choice.targets)
  const live = chosen.filter(
    (entry) =>
      !entry.archived && (span === undefined || span(entry.id)) && (since === undefined || isIdle(entry, since)),
  )
  for (const {id} of live) desk.locked(id, (held) => held.setArchived(true))
  return live.map(({id}) => id)
}

const isIdle = ({metadata}: ConversationEntry, sinceMs: number): boolean =>
  metadata.pinned_at === undefined && (momentOfStored(metadata.last_activated_at) ?? sinceMs) < sinceMs
