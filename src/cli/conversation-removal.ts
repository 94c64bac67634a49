import type {Draft} from '../conversation/draft.js'
import type {ConversationEntry} from '../conversation/entry.js'
import {expiredOf} from '../conversation/expiry.js'
import {createdWithin} from '../conversation/moment.js'
import type {ConversationStore} from '../conversation/store.js'
import {hasCode, JpError} from '../errors/jp-error.js'
import {type ConversationId, parseConversationId} from '../platform/id-grammar.js'
import {forTerminalLine} from '../platform/sanitise.js'
import {activeInAnySession} from '../session/conversation-history.js'
import type {ConversationDesk} from './conversation-desk.js'

/** One conversation that is about to go. */
type Doomed = {
  readonly id: ConversationId
  /** Undefined for a damaged one. */
  readonly entry: ConversationEntry | undefined
  readonly draft: Draft | undefined
}

/** Which conversations are to go, as typed. */
export type RemovalChoice = {
  readonly targets: readonly string[]
  /** Those created since then, and until then. */
  readonly from: string | undefined
  readonly until: string | undefined
  /** The temporary ones whose time is over and that no session has active. */
  readonly expired: boolean
  /** Unsent drafts may go too. */
  readonly discardDrafts: boolean
  readonly isYes: boolean
}

/**
 * Removes conversations once that was confirmed; gives those that went.
 * @throws JpError `usage` when none is named, `draft_conflict`, those of targets and of confirming.
 */
export const removeConversations = async (
  desk: ConversationDesk,
  choice: RemovalChoice,
): Promise<readonly ConversationId[]> => {
  const {store, invocation} = desk
  const doomed = (await chosenIds(desk, choice)).map((id) => look(store, id))
  if (doomed.length === 0) return []
  const isAsked = !choice.isYes && invocation.prompter !== undefined
  assertDraftsMayGo(doomed, choice.discardDrafts || isAsked)
  const question = doomed.length === 1 ? 'Remove it?' : `Remove these ${doomed.length} conversations?`
  await desk.confirm(question, removalPlan(doomed), choice.isYes)
  for (const {id, draft} of doomed) store.remove(id, draft?.revision)
  return doomed.map(({id}) => id)
}

const chosenIds = async (desk: ConversationDesk, choice: RemovalChoice): Promise<readonly ConversationId[]> => {
  const {targets, expired} = choice
  const span = createdWithin(choice, desk.invocation.clock.nowMs())
  if (targets.length === 0 && span === undefined && !expired) {
    throw new JpError('usage', 'Say which conversations: a target, --from, --until or --expired.')
  }
  const ids = targets.length > 0 ? await named(desk, targets) : allOf(desk, expired)
  return span === undefined ? ids : ids.filter(span)
}

const allOf = ({store, context: {silo}, invocation: {clock}}: ConversationDesk, expired: boolean): ConversationId[] => {
  const {entries} = store.list()
  if (!expired) return entries.map(({id}) => id)
  const active = silo === undefined ? new Set<ConversationId>() : activeInAnySession(silo, (id) => store.standing(id))
  return expiredOf(entries, {nowMs: clock.nowMs(), active, drafts: store.drafts}).map(({id}) => id)
}

/** A damaged conversation can't be looked up, but it can be named by its id. */
const named = async (desk: ConversationDesk, typed: readonly string[]): Promise<readonly ConversationId[]> => {
  const ids: ConversationId[] = []
  for (const text of typed) {
    const id = parseConversationId(text)
    if (id !== undefined && desk.store.standing(id) !== 'gone') ids.push(id)
    else ids.push(...(await desk.resolveTargets([text])).map((entry) => entry.id))
  }
  return [...new Set(ids)]
}

const look = (store: ConversationStore, id: ConversationId): Doomed => {
  const draft = store.drafts.read(id)
  try {
    return {id, entry: store.find(id), draft}
  } catch (error) {
    if (!hasCode(error, 'conversation_corrupt', 'file_unreadable', 'file_refused')) throw error
    return {id, entry: undefined, draft}
  }
}

/** What a removal comes to, a line each. */
const removalPlan = (doomed: readonly Doomed[]): readonly string[] =>
  doomed.map(({id, entry, draft}) => {
    const what =
      entry === undefined ? 'damaged' : `${entry.metadata.title ?? '(no title)'} (${entry.listed.events_count} events)`
    const first = forTerminalLine(draft?.content ?? '')
      .slice(0, 60)
      .toWellFormed()
    return `Remove ${id}: ${forTerminalLine(what)}${draft === undefined ? '' : `, with its unsent draft "${first}"`}`
  })

/**
 * A draft goes only when that was said, on the terminal or by the flag.
 * @throws JpError `draft_conflict`.
 */
const assertDraftsMayGo = (doomed: readonly Doomed[], mayGo: boolean): void => {
  const kept = doomed.find(({draft}) => draft !== undefined)
  if (mayGo || kept === undefined) return
  throw new JpError('draft_conflict', `Conversation ${kept.id} has an unsent draft; nothing was removed.`, {
    hint: 'Add --discard-draft to remove it too.',
    details: {conversation: kept.id},
  })
}
