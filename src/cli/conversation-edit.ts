import type {ConversationEntry} from '../conversation/entry.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import type {MetadataChange} from '../conversation/metadata.js'
import {parseExpiry} from '../conversation/moment.js'
import {JpError} from '../errors/jp-error.js'
import {rfc3339} from '../platform/clock.js'
import {type ConversationId, decisecondsOf} from '../platform/id-grammar.js'
import {forTerminalLine} from '../platform/sanitise.js'
import type {ConversationDesk} from './conversation-desk.js'

/** The flags of `jp c edit` that change metadata or place. */
export type EditFlags = {
  readonly title?: string | undefined
  readonly 'no-title': boolean
  readonly pin?: boolean | undefined
  readonly local?: boolean | undefined
  readonly tmp?: string | undefined
  readonly 'no-tmp': boolean
}

/**
 * Changes what the flags say, once what takes something away was confirmed; gives what was done, a line each.
 * @throws JpError `usage` when there is nothing to change, those of confirming and of locking.
 */
export const editConversation = async (
  desk: ConversationDesk,
  entry: ConversationEntry,
  flags: EditFlags & {readonly yes: boolean},
): Promise<readonly string[]> => {
  const change = metadataChangeOf(flags, entry.id, desk.invocation.clock.nowMs())
  const plan = editPlan(entry, flags, change)
  if (plan.length === 0) throw new JpError('usage', 'Say what to change.', {hint: 'See "jp conversation edit --help".'})
  if (!isHarmless(flags)) await desk.confirm('Do it?', plan, flags.yes)
  const act = (held: LockedConversation): void => {
    if (Object.keys(change).length > 0) held.changeMetadata(change)
    if (flags.local !== undefined) held.setLocal(flags.local)
  }
  desk.locked(entry.id, act, entry.archived)
  return plan
}

/** The change of `metadata.json` that the flags ask for. @throws JpError `usage` for a span that is none. */
const metadataChangeOf = (flags: EditFlags, id: ConversationId, nowMs: number): MetadataChange => ({
  ...(flags.title === undefined ? {} : {title: flags.title}),
  ...(flags['no-title'] ? {title: null} : {}),
  ...(flags.pin === undefined ? {} : {pinnedAtMs: flags.pin ? nowMs : null}),
  ...(flags.tmp === undefined ? {} : {expiresAtMs: parseExpiry(flags.tmp, decisecondsOf(id) * 100)}),
  ...(flags['no-tmp'] ? {expiresAtMs: null} : {}),
})

/** True when nothing is taken away: no copy, no conversation later on. */
const isHarmless = (flags: EditFlags): boolean => flags.local !== true && flags.tmp === undefined

/** What an edit comes to, a line each. */
const editPlan = (entry: ConversationEntry, flags: EditFlags, change: MetadataChange): readonly string[] => {
  const {id} = entry
  return [
    ...(typeof change.title === 'string' ? [`Title of ${id}: ${forTerminalLine(change.title)}`] : []),
    ...(change.title === null ? [`Title of ${id}: none`] : []),
    ...(flags.pin === undefined ? [] : [flags.pin ? `Pin ${id}` : `Unpin ${id}`]),
    ...(flags.local === true ? [`Take ${id} out of the checkout; it stays on this machine`] : []),
    ...(flags.local === false ? [`Put a copy of ${id} into the checkout`] : []),
    ...(typeof change.expiresAtMs === 'number'
      ? [`Make ${id} temporary: it may be removed from ${rfc3339(change.expiresAtMs)} on`]
      : []),
    ...(change.expiresAtMs === null ? [`Keep ${id} for good`] : []),
  ]
}
