import type {Draft} from '../conversation/draft.js'
import type {ConversationEntry} from '../conversation/entry.js'
import {JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {forTerminalLine} from '../platform/sanitise.js'

/** One conversation that is about to go. */
export type Doomed = {
  readonly id: ConversationId
  /** Undefined for a damaged one. */
  readonly entry: ConversationEntry | undefined
  readonly draft: Draft | undefined
}

/** What a removal comes to, a line each. */
export const removalPlan = (doomed: readonly Doomed[]): readonly string[] =>
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
export const assertDraftsMayGo = (doomed: readonly Doomed[], mayGo: boolean): void => {
  const kept = doomed.find(({draft}) => draft !== undefined)
  if (mayGo || kept === undefined) return
  throw new JpError('draft_conflict', `Conversation ${kept.id} has an unsent draft; nothing was removed.`, {
    hint: 'Add --discard-draft to remove it too.',
    details: {conversation: kept.id},
  })
}
