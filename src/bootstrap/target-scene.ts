import type {ConversationEntry} from '../conversation/entry.js'
import type {ConversationPicker, TargetScene} from '../conversation/resolve-target.js'
import type {ConversationStore} from '../conversation/store.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {Prompter} from '../platform/prompter.js'
import {activeOf, type HistorySession, previousOf, readHistory, type Standing} from '../session/conversation-history.js'

/** What conversation targets are looked up with. */
export type SceneParts = {
  readonly store: ConversationStore
  readonly silo: string | undefined
  readonly session: HistorySession | undefined
  readonly prompter: Prompter | undefined
  readIds(): Promise<readonly string[]>
}

/** Creates the scene of a run: the store, the session's history, and a picker where somebody can be asked. */
export const createTargetScene = (parts: SceneParts): TargetScene => {
  const {store, silo, session} = parts
  const history = silo === undefined || session === undefined ? [] : readHistory(silo, session)
  const standing = (id: ConversationId): Standing => store.standing(id)
  return {
    live: () => store.list().entries,
    archived: () => store.list({archived: true}).entries,
    find: (id) => store.find(id),
    history: history.map(({id}) => id),
    get active() {
      return activeOf(history, standing)
    },
    get previous() {
      return previousOf(history, standing)
    },
    readIds: () => parts.readIds(),
    picker: parts.prompter === undefined ? undefined : createPicker(parts.prompter),
  }
}

const createPicker = (prompter: Prompter): ConversationPicker => ({
  pick: (message, among) => prompter.search({message, choices: [...among].reverse().map(choiceOf)}),
})

const choiceOf = (entry: ConversationEntry) => ({
  value: entry,
  label: `${entry.id}  ${entry.metadata.title ?? '(no title)'}`,
  description: `${entry.listed.events_count} events, last used ${entry.listed.last_activated_at}`,
})
